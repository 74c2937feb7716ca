// Search in the manual's site: sections whose title or text has every word, titles first. `places` comes from places.js.
"use strict";

const mostFound = 30;
const wordsAround = 60;  // letters before and behind what was found

function scoreOf(place, words) {
  const title = place.title.toLowerCase();
  const text = place.text.toLowerCase();
  let score = 0;
  for (const word of words) {
    if (title.includes(word)) score += 10;
    else if (text.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function excerptOf(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const begin = Math.max(0, at - wordsAround);
  return (begin > 0 ? "... " : "") + text.slice(begin, at + word.length + wordsAround);
}

function rowOf(place, words) {
  const row = document.createElement("li");
  const link = document.createElement("a");
  link.href = place.page + "#" + place.place;
  link.textContent = place.title;
  const excerpt = document.createElement("small");
  excerpt.textContent = excerptOf(place.text, words[0]);
  link.append(excerpt);
  row.append(link);
  return row;
}

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = words.length === 0 ? [] : places.map((place) => ({ place, score: scoreOf(place, words) })).filter((each) => each.score > 0);
  found.sort((a, b) => b.score - a.score);
  document.getElementById("found").replaceChildren(...found.slice(0, mostFound).map((each) => rowOf(each.place, words)));
  document.getElementById("contents").hidden = words.length > 0;
}

const input = document.getElementById("search");
input.addEventListener("input", () => search(input.value));
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  } else if (event.key === "Escape" && document.activeElement === input) {
    input.value = "";
    search("");
  }
});
