/* Frames of the match socket: whole states, and patches with what has changed. */

/**
 * Return a reader of a match's frames. It returns the whole state after a state or a patch, or null for
 * other frames. If a patch does not fit, it returns null and calls `onGap`, which asks for the state.
 * @param {() => void} onGap
 * @returns {(frame: any) => MatchState | null}
 */
export function createStateReader(onGap) {
  /** @type {MatchState | null} */
  let state = null;
  return (frame) => {
    if (frame.type === "state") state = frame;
    else if (frame.type !== "patch") return null;
    else if (frame.from === state?.version) state = { ...state, ...frame, type: "state" };
    else {
      onGap();
      return null;
    }
    return state;
  };
}
