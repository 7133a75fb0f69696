// How much room a table has. Pure.

/** @typedef {{ width: number, height: number }} Size */

const PHONE_WIDTH = 700, WIDE = 1000, LOW = 500;
const STRIP = 44; // for messages, between the table and the buttons

/** Return which of the four arrangements of the page a viewport gets. @param {Size} viewport @returns {"phone" | "tablet" | "wide" | "low"} */
export function formOf({ width, height }) {
  if (height < LOW && width > height) return "low";
  if (width < PHONE_WIDTH) return "phone";
  return width < WIDE ? "tablet" : "wide";
}

/** Return the room for cards in a viewport, in CSS pixels: what bars, strip, rail and margins leave. @param {Size} viewport @returns {Size} */
export function stageOf(viewport) {
  const { width, height } = viewport;
  switch (formOf(viewport)) {
    case "phone":
      return { width: width - 12, height: height - 48 - STRIP - 56 - 12 };
    case "tablet":
      return { width: width - 48, height: height - 56 - STRIP - 64 - 32 };
    case "low":
      return { width: width - 150 - 16, height: height - 12 };
    case "wide":
      return { width: width - 304 - 40, height: height - 56 - STRIP - 32 };
  }
}
