/* The check-in list of a class tournament: members who come online are ticked, unless the organiser has
   decided about them, and the number of rounds and the expected end follow the ticks. */

import "../shared/dialog.js";
import "../shared/offline.js";
import { renderMessage } from "../shared/messages.js";
import { fetchPage } from "../shared/requests.js";
import { showLocalTimes } from "../shared/time.js";

const FETCH_INTERVAL = 4000; // ms between two looks at who is online

/**
 * Return the number of rounds, as `count_rounds` in lobby/tournaments/class_tournament.py does.
 * @param {string} kind
 * @param {number} rounds of a Swiss, as asked for
 * @param {number} players
 */
function countRounds(kind, rounds, players) {
  const most = Math.max(0, players - 1 + (players % 2));
  return kind === "round-robin" ? most : Math.min(rounds, most);
}

/** @param {HTMLFormElement} form */
function follow(form) {
  /** @type {Set<string>} the players about whom the organiser has decided */
  const decided = new Set();

  function describe() {
    const data = new FormData(form);
    const players = data.getAll("player").length;
    const rounds = countRounds(String(data.get("kind")), Number(data.get("rounds")) || 1, players);
    setText("plan-players", renderMessage({ code: "tournament.players", count: players }));
    setText("plan-rounds", renderMessage({ code: "tournament.rounds", count: rounds }));
    document.getElementById("plan").hidden = players < 2;
    document.getElementById("too-few").hidden = players >= 2;
    /** @type {HTMLSelectElement} */
    const clock = form.querySelector("#clock");
    const seconds = rounds * Number(clock.selectedOptions[0].dataset.seconds);
    const end = document.getElementById("plan-end");
    const at = new Date(Date.now() + seconds * 1000).toISOString();
    end.querySelector("time").setAttribute("datetime", at);
    showLocalTimes(end);
    form.querySelector("#rounds-field").hidden = data.get("kind") !== "swiss";
    /** @type {HTMLButtonElement} */
    const start = form.querySelector("#start");
    start.disabled = players < 2;
  }

  async function look() {
    const fetched = (await fetchPage())?.getElementById("candidates");
    if (!fetched) return;
    for (const box of findBoxes(fetched)) {
      const mine = findBoxes(form).find((each) => each.value === box.value);
      if (!mine) {
        form.querySelector("#candidates").append(document.importNode(box.closest("li"), true));
      } else {
        if (!decided.has(box.value)) mine.checked = box.checked;
        const label = document.importNode(box.nextElementSibling, true);
        mine.nextElementSibling.replaceWith(label);
      }
    }
    describe();
  }

  form.addEventListener("input", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.name === "player") decided.add(field.value);
    describe();
  });
  for (const box of findBoxes(form)) {
    // The page was shown again with the organiser's choice.
    if (box.checked !== box.hasAttribute("data-here")) decided.add(box.value);
  }
  setInterval(look, FETCH_INTERVAL);
  describe();
}

/** @param {ParentNode} root */
function findBoxes(root) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = root.querySelectorAll("input[name=player]");
  return [...boxes];
}

/**
 * @param {string} id
 * @param {string} text
 */
function setText(id, text) {
  const element = document.getElementById(id);
  if (element.textContent !== text) element.textContent = text;
}

follow(/** @type {HTMLFormElement} */ (document.getElementById("class-tournament")));
performance.mark("interactive");
