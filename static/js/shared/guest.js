/* Becoming a player at one click, and the token that what is posted carries. */

/* Make the visitor a guest, if they are nobody yet. Throws an Error whose `cause` is to be said. */
export async function becomeGuest() {
  let answer;
  try {
    answer = await fetch("/guest/", {
      method: "POST",
      headers: { "X-CSRFToken": token() },
      credentials: "same-origin",
    });
  } catch {
    throw failure("guest.unreachable");
  }
  if (answer.status === 429) throw failure("refused.many-at-once");
  if (!answer.ok) throw failure("guest.failed");
  renewForms();
}

function failure(code) {
  return new Error(code, { cause: { code } });
}

/* Who logs in gets another token: the forms of this page, made before, take it too. */
function renewForms() {
  for (const field of document.querySelectorAll('input[name="csrfmiddlewaretoken"]')) {
    field.value = token();
  }
}

/* The token that forms carry; its cookie has another name under https. */
export function token() {
  return cookie("__Host-csrftoken") || cookie("csrftoken");
}

function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}
