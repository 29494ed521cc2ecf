// Types that the pages' scripts use beyond the standard ones: read by `tsc` in `make check`, never served.

/** Our selectors find HTML elements, or SVG elements, which also have a dataset and take the focus. */
interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

/** Our events come from elements, or from the document, which has no such method. */
interface EventTarget {
  closest?<E extends Element = HTMLElement>(selectors: string): E | null;
}

/** Events of `choices.js`: steps to try, or to play; of `speak.js`: a statement. */
interface DocumentEventMap {
  speak: CustomEvent<object>;
  plan: CustomEvent<object>;
  commit: CustomEvent<object>;
}
