/** Scrolling: follow the newest message, and announce changes out of view. */

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
let followsEnd = true;
let isPaused = false;
let shown = null;
let ignoresScroll = false;
let lastTop = 0;
let announced = null;
let timer = 0;

const find = (id) => $("messages").querySelector(`[data-message-id="${id}"]`);

/** Whether the list is scrolled to its end, or nearly. */
export const isAtEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR_END_PX;

/** Whether the newest message is in view. */
export function hasReadAll() {
  const newest = $("messages").lastElementChild;
  return isAtEnd() || (newest !== null && newest.getBoundingClientRect().top < scroll.getBoundingClientRect().bottom - 40);
}

/** Whether the list follows new messages, and the reader has not just scrolled up. */
export const isFollowing = () => followsEnd && (scroll.scrollTop >= lastTop || isAtEnd());

/** Whether the list stopped following only because the reader was choosing. */
export const wouldFollow = () => isPaused;

/** Scroll to the newest message, and follow new ones. */
export function scrollToEnd() {
  shown = null;
  followsEnd = true;
  isPaused = false;
  scroll.scrollTop = scroll.scrollHeight;
  $("jump").hidden = true;
}

/** Do not scroll when new messages arrive. */
export function stopFollowing() {
  isPaused ||= followsEnd;
  followsEnd = false;
  $("jump").hidden = isAtEnd();
}

/** Whether a private panel with choices is in view. */
export function isChoosing() {
  const panels = [...$("messages").querySelectorAll(".message.private")].filter((each) => each.querySelector(CHOICES));
  return panels.some((each) => isInView(each.dataset.messageId));
}

export function scrollDown(pixels) {
  scroll.scrollTop += pixels;
}

/** Call `remove()` for a message without moving the messages in view. */
export function removeInPlace(id, remove) {
  const isAbove = find(id)?.getBoundingClientRect().top < scroll.getBoundingClientRect().top;
  const { scrollTop, scrollHeight } = scroll;
  remove();
  if (!isAbove || followsEnd) return;
  scroll.scrollTop = scrollTop + scroll.scrollHeight - scrollHeight;
  ignoresScroll = true;
}

/** Scroll a message into view. One that is too tall starts at its picture if it has choices, else at its top. */
export function scrollToMessage(id) {
  const node = find(id);
  if (!node) return;
  shown = id;
  ignoresScroll = true;
  const view = scroll.getBoundingClientRect();
  const box = node.getBoundingClientRect();
  const tall = box.height > view.height - 2 * MARGIN_PX;
  const below = box.bottom - view.bottom + MARGIN_PX;
  const start = tall && node.querySelector(PRESSES) ? (node.querySelector("[data-testid=picture]") ?? node) : node;
  const above = start.getBoundingClientRect().top - view.top - MARGIN_PX;
  // Otherwise the next message that grows would scroll to the end.
  if (tall) stopFollowing();
  if (tall || above < 0) scrollDown(above);
  else if (below > 0) scrollDown(below);
}

/** Highlight a message for a moment. */
export function flash(id) {
  const node = find(id);
  node?.classList.add("changed");
  setTimeout(() => node?.classList.remove("changed"), MARKED_MS);
}

/** Highlight a message; if it is out of view, also show a link to it. */
export function announce(id, text) {
  flash(id);
  const node = find(id);
  if (!node || isInView(id)) return;
  announced = id;
  const isBelow = node.getBoundingClientRect().top > scroll.getBoundingClientRect().top;
  announcement.textContent = `${text} ${isBelow ? "↓" : "↑"}`;
  announcement.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(hideAnnouncement, ANNOUNCED_MS);
}

function isInView(id) {
  const view = scroll.getBoundingClientRect();
  const box = find(id)?.getBoundingClientRect();
  return box !== undefined && box.bottom > view.top + 40 && box.top < view.bottom - 40;
}

export function hideAnnouncement() {
  announcement.hidden = true;
  announced = null;
}

/** Handle scrolling; calls `read()` whenever the newest message comes into view. */
export function watch(read) {
  scroll.addEventListener("scroll", () => {
    // Only scrolling up stops following, not a list that grows.
    const up = scroll.scrollTop < lastTop;
    lastTop = scroll.scrollTop;
    if (announced && isInView(announced)) hideAnnouncement();
    if (ignoresScroll) ignoresScroll = false;
    else {
      shown = null;
      if (isAtEnd()) followsEnd = true;
      else if (up) followsEnd = isPaused = false;
    }
    if (!hasReadAll()) return;
    $("jump").hidden = true;
    read();
  });
  document.addEventListener("visibilitychange", read);
  // A picture that loads late must not push the newest message out of view.
  new ResizeObserver(() => {
    if (!followsEnd) return;
    scroll.scrollTop = scroll.scrollHeight;
    if (shown) scrollToMessage(shown);
  }).observe($("messages"));
  $("jump").addEventListener("click", scrollToEnd);
  announcement.addEventListener("click", () => {
    scrollToMessage(announced);
    flash(announced);
    hideAnnouncement();
  });
}
