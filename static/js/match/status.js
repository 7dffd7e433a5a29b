/* What is said about the state: under the board, in the title, and to a screen reader. */

import { outcomeMessage, renderMessage } from "../shared/messages.js";

const announcer = document.getElementById("announcer");

/* `grid`: the one on which a cell is still to be chosen, where one is chosen elsewhere. */
export function statusOf(state, sent, grid = null) {
  if (state.status !== "live") return renderMessage(endOf(state));
  if (sent) return renderMessage({ code: "status.sending" });
  const who =
    state.turn === state.you && !isShared(state)
      ? { code: "status.yours" }
      : { code: "status.theirs", name: nameIn(state, state.turn) };
  const prompt = grid ? { code: `${state.game}.now-${grid}` } : promptOf(state);
  const what = prompt ? { code: "status.asked", who, prompt } : who;
  if (state.draw === null) return renderMessage(what);
  const before = what === who ? { code: "status.said", who } : what;
  return renderMessage({ code: "status.offered", status: before, offer: offerOf(state) });
}

/* The half-step that the position asks for, as it is said to who looks at it. */
function promptOf(state) {
  if (!state.prompt) return null;
  const side = state.you === null ? "seen" : state.you === state.turn ? "mine" : "theirs";
  const other = Object.keys(state.seats).find((role) => role !== state.turn);
  return {
    code: `${state.prompt.code}.${side}`,
    name: nameIn(state, state.turn),
    other: nameIn(state, other),
  };
}

/* How the match ended, as it is said to who looks at it. */
export function endOf(state) {
  const nameOf = (role) => nameIn(state, role);
  return outcomeMessage(state.verdict, { you: state.you, roles: Object.keys(state.seats), nameOf });
}

function offerOf(state) {
  return state.draw === state.you && !isShared(state)
    ? { code: "draw.mine" }
    : { code: "draw.theirs", name: nameIn(state, state.draw) };
}

function nameIn(state, role) {
  return state.seats[role].name;
}

/* Whether two play at this screen: then each is named. */
export function isShared(state) {
  return state.yours.length > 1;
}

/* The title of the tab once the match is over: what came of it. Null before that. */
export function endTitleOf(state, game) {
  if (state.status === "live") return null;
  return renderMessage({ code: "status.title-end", end: headlineOf(state), game });
}

/* How the match ended, in its shortest words. */
function headlineOf(state) {
  let end = endOf(state);
  while (end.code === "end.more") end = end.said;
  return end;
}

/* Tell what is new since the state before: what was played, a draw offered or declined, the end. */
export function announce(before, state) {
  const news = [];
  if (state.ply > before.ply && before.turn) {
    news.push(
      before.turn === state.you && !isShared(state)
        ? { code: "news.mine", said: state.said }
        : { code: "news.theirs", name: nameIn(state, before.turn), said: state.said },
    );
  }
  if (state.status !== "live") {
    if (state.ply > before.ply || before.status === "live") news.push(endOf(state));
  } else {
    if (state.draw !== before.draw)
      news.push(state.draw ? offerOf(state) : refusalOf(before, state));
    if (state.ply > before.ply && state.turn === state.you) {
      const who = { code: "status.theirs", name: nameIn(state, state.turn) };
      news.push(isShared(state) ? { code: "status.said", who } : { code: "news.turn" });
    }
  }
  if (news.length) announcer.textContent = news.map(renderMessage).join(" ");
}

/* Whoever was offered the draw has declined it, or played on. */
function refusalOf(before, state) {
  const by = Object.keys(state.seats).find((role) => role !== before.draw);
  return by === state.you && !isShared(state)
    ? { code: "draw.declined-by-me" }
    : { code: "draw.declined", name: nameIn(state, by) };
}
