// @ts-check
// Styles need to know that scripts run before the page is drawn, which is before any module runs.

document.documentElement.classList.add("scripted");
