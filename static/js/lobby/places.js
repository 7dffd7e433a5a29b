/* A list in which nothing moves: what is gone turns grey in its place, and what comes takes the place
   of something grey, or a new one at the end. What comes back while it is still grey gets its own place
   again. Nothing changes places under a pointer or a focus. */

const GREY = 3000; // ms for which what is gone stays, at least
const TOUCHED = 1000; // ms after a touch in which nothing changes places
const HOVERS = matchMedia("(hover: hover)"); // elsewhere what was touched last counts as hovered

/* `make(key)` gives the element of what comes, `fade(element)` shows that one is gone, and `isEmpty`
   hears whether there is anything. */
export function makePlaces(list, { make, fade, onChange = () => {} }) {
  const gone = new Map(); // an element -> when it was gone
  const waiting = new Set(); // keys that wait for the place of something grey, while it is held
  let timer = 0;
  let touchedAt = -Infinity;

  const keyOf = (element) => element.dataset.key;
  const find = (key) => [...list.children].find((each) => keyOf(each) === key && !gone.has(each));
  list.addEventListener("pointerdown", () => {
    touchedAt = performance.now();
  });

  /* Whether somebody is about to choose something here. */
  function isHeld() {
    return (
      (HOVERS.matches && list.matches(":hover")) ||
      performance.now() - touchedAt < TOUCHED ||
      Boolean(list.querySelector(":focus-visible"))
    );
  }

  function add(key) {
    if (find(key) || waiting.has(key)) return;
    const left = [...gone.keys()].find((each) => keyOf(each) === key);
    if (left) put(key, left);
    else waiting.add(key);
    settle();
  }

  function remove(key) {
    waiting.delete(key);
    const element = find(key);
    if (!element) return;
    gone.set(element, performance.now());
    element.classList.add("gone");
    fade(element);
    settle();
  }

  /* Put what waits into free places, and take away what is grey for long enough: from the end, or by
     drawing the last one in its place. */
  function settle() {
    clearTimeout(timer);
    const held = isHeld();
    for (const key of waiting) {
      const free = held ? null : freePlace();
      if (!free && held && gone.size) break; // once the pointer has left
      waiting.delete(key);
      put(key, free);
    }
    while (!held && !waiting.size && gone.size) {
      const last = list.lastElementChild;
      const free = gone.has(last) ? last : freePlace();
      if (!free || !isOld(free)) break;
      if (free === last) drop(free);
      else {
        const key = keyOf(last);
        last.remove();
        put(key, free);
      }
    }
    onChange();
    if (gone.size || waiting.size) timer = setTimeout(settle, GREY / 4);
  }

  function isOld(element) {
    return performance.now() - gone.get(element) >= GREY;
  }

  function freePlace() {
    return [...list.children].find((each) => gone.has(each) && isOld(each));
  }

  function put(key, place) {
    const element = make(key);
    element.dataset.key = key;
    if (place) {
      gone.delete(place);
      place.replaceWith(element);
    } else list.append(element);
  }

  function drop(element) {
    gone.delete(element);
    element.remove();
  }

  return {
    add,
    remove,
    find,
    keys: () =>
      new Set(
        [...list.children]
          .filter((e) => !gone.has(e))
          .map(keyOf)
          .concat([...waiting]),
      ),
  };
}
