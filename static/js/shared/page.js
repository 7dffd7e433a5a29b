/* Small things that every page's script needs: elements made and data read, without any HTML text. */

/* An element with properties and children; a property that begins with "data-" is an attribute. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/* The data that the server put into the page. */
export function data(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/* A mark to stand beside a name. */
export function makeMark(mark) {
  const svg = document.getElementById("mark").content.firstElementChild.cloneNode(true);
  svg.dataset.mark = mark;
  return svg;
}

/* This very page as the server makes it now; null where there is no connection. */
export async function fresh() {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/* What the viewer looks at stays where it is: do what changes the height of something above the
   middle of the window, then scroll by as much. */
export function keepPlace(change) {
  const seen = document.elementFromPoint(innerWidth / 2, innerHeight * 0.6);
  const before = seen?.getBoundingClientRect().top ?? 0;
  change();
  if (!seen?.isConnected) return;
  const moved = seen.getBoundingClientRect().top - before;
  if (moved) window.scrollBy({ top: moved, behavior: "instant" });
}
