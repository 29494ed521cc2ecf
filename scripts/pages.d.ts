// What the scripts of the pages may take for granted beyond the standard: read by `tsc` in `make check`, never served.

/** Selectors of ours find elements of HTML, or of SVG, which have a dataset and take the focus as those do. */
interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

/** Events of ours come from elements, or from the document, which has no such method. */
interface EventTarget {
  closest?<E extends Element = HTMLElement>(selectors: string): E | null;
}

/** What `choices.js` asks of the line: steps to be tried, or played; `speak.js`: that something is said. */
interface DocumentEventMap {
  speak: CustomEvent<object>;
  plan: CustomEvent<object>;
  commit: CustomEvent<object>;
}
