// @ts-check
document.documentElement.classList.add("scripted");
