/** What the reader sees: the newest message, or what they scrolled to; nothing changes unseen. */

import { $ } from "./dom.js";

const NEAR_END_PX = 120;
const MARKED_MS = 1800;
const ANNOUNCED_MS = 10000;
const MARGIN_PX = 10;

const VERBS = ["act", "do", "open", "pick", "pieces", "whole"];
const PRESSES = ".button:enabled, .select-head:enabled";
const CHOICES = VERBS.map((verb) => `[data-custom-id^="${verb}:"]:enabled`).join();

const scroll = $("scroll");
const announcement = $("changed");
let stuckToEnd = true;
let isHeld = false;
let shown = null;
let isPlaced = false;
let lastTop = 0;
let announced = null;
let timer = 0;

const find = (id) => $("messages").querySelector(`[data-message-id="${id}"]`);

/** Whether the end of what is newest is in sight, or nearly. */
export const isAtEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR_END_PX;

/** Whether the reader has come to the newest message. */
export function hasReadAll() {
  const newest = $("messages").lastElementChild;
  return isAtEnd() || (newest !== null && newest.getBoundingClientRect().top < scroll.getBoundingClientRect().bottom - 40);
}

/** Whether the reader follows what is newest, and has not just scrolled up. */
export const isFollowing = () => stuckToEnd && (scroll.scrollTop >= lastTop || isAtEnd());

/** Whether the reader would follow what is newest, had they not been choosing when something came. */
export const wasFollowing = () => isHeld;

/** Show what is newest, and follow it from now on. */
export function toEnd() {
  shown = null;
  stuckToEnd = true;
  isHeld = false;
  scroll.scrollTop = scroll.scrollHeight;
  $("jump").hidden = true;
}

/** Stay here, whatever comes below. */
export function stay() {
  isHeld ||= stuckToEnd;
  stuckToEnd = false;
  $("jump").hidden = isAtEnd();
}

/** Whether the reader has a private panel before them in which something can be chosen. */
export function isChoosing() {
  const panels = [...$("messages").querySelectorAll(".message.private")].filter((each) => each.querySelector(CHOICES));
  return panels.some((each) => isInSight(each.dataset.messageId));
}

/** Keep a place in sight, by as many pixels as what is above it has grown. */
export function shift(pixels) {
  scroll.scrollTop += pixels;
}

/** Remove a message by that function; what is in sight below it stays where it is. */
export function removing(id, remove) {
  const isAbove = find(id)?.getBoundingClientRect().top < scroll.getBoundingClientRect().top;
  const { scrollTop, scrollHeight } = scroll;
  remove();
  if (!isAbove || stuckToEnd) return;
  scroll.scrollTop = scrollTop + scroll.scrollHeight - scrollHeight;
  isPlaced = true;
}

/** Bring a message into sight: all of it, or else its picture and the choices below; one that is only read, from its beginning. */
export function show(id) {
  const node = find(id);
  if (!node) return;
  shown = id;
  isPlaced = true;
  const view = scroll.getBoundingClientRect();
  const box = node.getBoundingClientRect();
  const tall = box.height > view.height - 2 * MARGIN_PX;
  const below = box.bottom - view.bottom + MARGIN_PX;
  const start = tall && node.querySelector(PRESSES) ? (node.querySelector("[data-testid=picture]") ?? node) : node;
  const above = start.getBoundingClientRect().top - view.top - MARGIN_PX;
  // Its end would come back into sight with the next thing that grows.
  if (tall) stay();
  if (tall || above < 0) shift(above);
  else if (below > 0) shift(below);
}

/** Mark a message for a moment as changed. */
export function flash(id) {
  const node = find(id);
  node?.classList.add("changed");
  setTimeout(() => node?.classList.remove("changed"), MARKED_MS);
}

/** Tell that a message out of sight has changed, with a way to it; where it is in sight, mark it. */
export function tell(id, words) {
  flash(id);
  const node = find(id);
  if (!node || isInSight(id)) return;
  announced = id;
  const isBelow = node.getBoundingClientRect().top > scroll.getBoundingClientRect().top;
  announcement.textContent = `${words} ${isBelow ? "↓" : "↑"}`;
  announcement.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(forget, ANNOUNCED_MS);
}

function isInSight(id) {
  const view = scroll.getBoundingClientRect();
  const box = find(id)?.getBoundingClientRect();
  return box !== undefined && box.bottom > view.top + 40 && box.top < view.bottom - 40;
}

/** Nothing is told any more: another channel is open. */
export function forget() {
  announcement.hidden = true;
  announced = null;
}

/** Begin to watch; `read()` is called whenever the newest message comes into sight. */
export function watch(read) {
  scroll.addEventListener("scroll", () => {
    // Only the reader scrolls up; a list that grows under the same place does not unstick it.
    const up = scroll.scrollTop < lastTop;
    lastTop = scroll.scrollTop;
    if (announced && isInSight(announced)) forget();
    if (isPlaced) isPlaced = false;
    else {
      shown = null;
      if (isAtEnd()) stuckToEnd = true;
      else if (up) stuckToEnd = isHeld = false;
    }
    if (!hasReadAll()) return;
    $("jump").hidden = true;
    read();
  });
  document.addEventListener("visibilitychange", read);
  // A picture that loads late must not push the newest message out of sight.
  new ResizeObserver(() => {
    if (!stuckToEnd) return;
    scroll.scrollTop = scroll.scrollHeight;
    if (shown) show(shown);
  }).observe($("messages"));
  $("jump").addEventListener("click", toEnd);
  announcement.addEventListener("click", () => {
    show(announced);
    flash(announced);
    forget();
  });
}
