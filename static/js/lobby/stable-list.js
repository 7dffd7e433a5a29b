/* Lists in which nothing moves under a pointer or a focus. A removed entry turns grey in its place
   before it disappears; a new one takes the place of a grey one, or a new place at the end. */

const GREY_TIME = 3000; // ms for which a removed entry stays, at least
const TOUCH_TIME = 1000; // ms after a touch during which nothing changes places

/**
 * A place in the list.
 * @typedef {object} Slot
 * @property {string} key
 * @property {number | null} removedAt in ms; null while the entry is there
 */

/**
 * @typedef {object} Slots
 * @property {Slot[]} slots
 * @property {string[]} waiting keys that wait for a place
 */

/** @returns {Slots} */
export function createSlots() {
  return { slots: [], waiting: [] };
}

/**
 * Return the slot of an entry that has not been removed.
 * @param {Slots} state
 * @param {string} key
 */
export function findSlot({ slots }, key) {
  return slots.find((slot) => slot.key === key && slot.removedAt === null);
}

/**
 * Add an entry. If it was removed and is still grey, it gets its own place again.
 * @param {Slots} state
 * @param {string} key
 */
export function addKey(state, key) {
  if (findSlot(state, key) || state.waiting.includes(key)) return;
  const index = state.slots.findIndex((slot) => slot.key === key);
  if (index === -1) state.waiting.push(key);
  else state.slots[index] = { key, removedAt: null };
}

/**
 * Remove an entry: its slot turns grey. Returns the slot, if it had one.
 * @param {Slots} state
 * @param {string} key
 * @param {number} now
 */
export function removeKey(state, key, now) {
  state.waiting = state.waiting.filter((each) => each !== key);
  const slot = findSlot(state, key);
  if (slot) slot.removedAt = now;
  return slot;
}

/**
 * Give places to waiting entries, and remove slots that have been grey for long enough.
 * @param {Slots} state
 * @param {boolean} isHeld whether the viewer is about to choose something: then places are only
 *   added, and only if none is grey
 * @param {number} now
 */
export function settleSlots(state, isHeld, now) {
  const { slots } = state;
  const isRemoved = (/** @type {Slot} */ slot) => slot.removedAt !== null;
  const isFree = (/** @type {Slot} */ slot) => isRemoved(slot) && now - slot.removedAt >= GREY_TIME;
  while (state.waiting.length) {
    if (isHeld && slots.some(isRemoved)) return;
    const slot = { key: state.waiting.shift(), removedAt: /** @type {null} */ (null) };
    const index = slots.findIndex(isFree);
    if (index === -1) slots.push(slot);
    else slots[index] = slot;
  }
  while (!isHeld && slots.some(isRemoved)) {
    const last = slots.at(-1);
    const index = isRemoved(last) ? slots.length - 1 : slots.findIndex(isFree);
    if (index === -1 || !isFree(slots[index])) return;
    slots.pop();
    if (index < slots.length) slots[index] = last; // the last entry fills the gap
  }
}

/**
 * Create a list.
 * @param {HTMLElement} list
 * @param {object} options
 * @param {(key: string) => HTMLElement} options.make makes the element of an entry
 * @param {(element: HTMLElement) => void} options.fade shows that an entry was removed
 * @param {() => void} [options.onChange]
 */
export function createStableList(list, { make, fade, onChange }) {
  const canHover = matchMedia("(hover: hover)").matches; // else a touched list would stay hovered
  const state = createSlots();
  /** @type {WeakMap<Slot, HTMLElement>} */
  const elements = new WeakMap();
  let timer = 0;
  let touchedAt = -Infinity;

  list.addEventListener("pointerdown", () => {
    touchedAt = performance.now();
  });

  function isHeld() {
    return (
      (canHover && list.matches(":hover")) ||
      performance.now() - touchedAt < TOUCH_TIME ||
      Boolean(list.querySelector(":focus-visible"))
    );
  }

  function settle() {
    clearTimeout(timer);
    settleSlots(state, isHeld(), performance.now());
    render();
    onChange?.();
    const isSettled = !state.waiting.length && state.slots.every((slot) => slot.removedAt === null);
    if (!isSettled) timer = setTimeout(settle, GREY_TIME / 4);
  }

  function render() {
    const wanted = state.slots.map(elementOf);
    for (const child of /** @type {HTMLElement[]} */ ([...list.children])) {
      if (!wanted.includes(child)) child.remove();
    }
    wanted.forEach((element, index) => {
      if (list.children[index] !== element)
        list.insertBefore(element, list.children[index] ?? null);
    });
  }

  /** @param {Slot} slot */
  function elementOf(slot) {
    if (!elements.has(slot)) elements.set(slot, make(slot.key));
    return elements.get(slot);
  }

  return {
    add(/** @type {string} */ key) {
      addKey(state, key);
      settle();
    },
    remove(/** @type {string} */ key) {
      const slot = removeKey(state, key, performance.now());
      if (!slot) return;
      elementOf(slot).classList.add("gone");
      fade(elementOf(slot));
      settle();
    },
    /** Make the element of an entry again, in its place. */
    refresh(/** @type {string} */ key) {
      elements.delete(findSlot(state, key));
      render();
    },
    find(/** @type {string} */ key) {
      return elements.get(findSlot(state, key));
    },
    keys() {
      const shown = state.slots.filter((slot) => slot.removedAt === null).map((slot) => slot.key);
      return [...shown, ...state.waiting];
    },
  };
}

/**
 * Arrange matches on the TV wall: the first one is large and comes first, every other one keeps its
 * place.
 * @param {(string | null)[]} places the match that each place shows now
 * @param {string[]} matches the most watched one first
 * @returns {(string | null)[]}
 */
export function arrangeWall(places, [first, ...rest]) {
  /** @type {(string | null)[]} */
  const wanted = new Array(places.length).fill(null);
  if (first) wanted[0] = first;
  for (const match of rest) {
    const index = places.indexOf(match);
    if (index > 0) wanted[index] = match;
  }
  for (const match of rest) {
    const free = wanted.indexOf(null, 1);
    if (!wanted.includes(match) && free !== -1) wanted[free] = match;
  }
  return wanted;
}
