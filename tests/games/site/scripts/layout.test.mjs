import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "games/play/layout.js";
import { shapeOf } from "games/play/rules.js";
import { stageOf } from "games/play/stage.js";
import { rules } from "./data.mjs";

const COUNT = 18;
const VIEWPORTS = [[360, 640], [390, 844], [768, 1024], [1280, 800]];

// The smallest cards, by viewport; smaller ones are a mistake.
const SMALLEST = {
  "seven-reserve": [[47, 71], [50, 75], [96, 134], [90, 126]],
  giza: [[47, 66], [50, 73], [85, 119], [95, 133]],
  "pyramid-dozen": [[47, 66], [50, 75], [96, 134], [88, 123]],
  pharaohs: [[42, 59], [50, 70], [88, 123], [77, 108]],
  "two-pyramids": [[37, 52], [50, 70], [76, 106], [73, 102]],
  "up-and-down": [[46, 64], [50, 70], [80, 112], [72, 108]],
  "double-pyramid": [[36, 54], [39, 59], [75, 113], [93, 133]],
};
const ONE_PEAK = [[47, 71], [50, 75], [96, 144], [108, 151]];

const stages = [], laidOut = new Set();
for (let width = 320; width <= 1920; width += 160) {
  for (const height of [480, 568, 640, 740, 844, 1024, 1080]) stages.push([width, height]);
}
stages.push(...VIEWPORTS, [640, 360], [844, 390], [932, 430]);

const overlap = (one, other) =>
  one.x < other.x + other.width - 0.01 && other.x < one.x + one.width - 0.01 && one.y < other.y + other.height - 0.01 && other.y < one.y + one.height - 0.01;

function allOf(fields, layout) {
  const { fan, wasteFan, wasteSeen } = layout;
  const reserve = layout.reserve.map((rect) => ({ ...rect, height: rect.height + (fields.reserve[1] - 1) * fan, name: "reserve" }));
  const wastes = layout.wastes.map((rect) => ({ ...rect, width: rect.width + (wasteSeen - 1) * wasteFan, height: rect.height + COUNT, name: "waste" }));
  const piles = [layout.stock, ...layout.cells, layout.removed].filter(Boolean).map((rect) => ({ ...rect, height: rect.height + COUNT, name: "pile" }));
  return [...reserve, ...wastes, ...piles];
}

for (const [slug, fields] of Object.entries(rules)) {
  test(`${slug} has at least the smallest cards`, () => {
    VIEWPORTS.forEach(([width, height], index) => {
      const { card } = layOut(fields, stageOf({ width, height }));
      const [w, h] = (SMALLEST[slug] ?? ONE_PEAK)[index];
      assert.ok(card.w >= w && card.h >= h, `${card.w} x ${card.h} at ${width} x ${height}`);
    });
  });

  test(`${slug} fits every stage, and only covers overlap`, () => {
    const { covers } = shapeOf(fields);
    for (const [width, height] of isLikeOneBefore(fields, covers) ? VIEWPORTS : stages) {
      const stage = stageOf({ width, height });
      for (const mirrored of [false, true]) {
        const layout = layOut(fields, stage, { mirrored });
        const where = `${slug} at ${width} x ${height}`;
        const others = allOf(fields, layout);
        for (const rect of [...layout.tableau, ...others]) {
          const isInside = rect.x >= -0.01 && rect.y >= -0.01 && rect.x + rect.width <= stage.width + 0.01 && rect.y + rect.height <= stage.height + 0.01;
          if (!isInside) assert.fail(`${JSON.stringify(rect)} outside of ${JSON.stringify(stage)}: ${where}`);
        }
        others.forEach((rect, index) => {
          const over = [...others.slice(index + 1), ...layout.tableau].find((other) => overlap(rect, other));
          assert.equal(over, undefined, `${JSON.stringify(rect)} overlaps: ${where}`);
        });
        assert.ok(layout.card.s >= 24, where);
        assert.ok(layout.wasteSeen === 1 || layout.wasteFan >= 0.4 * layout.card.w, `ranks in a fan are cut off: ${where}`);
        assertOnlyCoversOverlap(fields, layout, covers, where);
      }
    }
  });
}

/** Rule sets that differ in nothing that is laid out are tried on all stages once. */
function isLikeOneBefore(fields, covers) {
  const layouts = VIEWPORTS.map(([width, height]) => layOut(fields, stageOf({ width, height })));
  const seen = JSON.stringify([covers, layouts]);
  return laidOut.has(seen) || !laidOut.add(seen);
}

/** Cards of different peaks never overlap; inside a peak a card only lies under ones that come later. */
function assertOnlyCoversOverlap(fields, layout, covers, where) {
  const { places } = shapeOf(fields);
  for (const one of places) {
    for (const other of places.slice(one.place + 1)) {
      if (!overlap(layout.tableau[one.place], layout.tableau[other.place])) continue;
      assert.equal(one.peak, other.peak, `peaks touch: ${where}`);
      assert.ok(other.row > one.row && reaches(covers, one.place, other.place), `${one.place} and ${other.place} overlap: ${where}`);
    }
  }
}

function reaches(covers, from, to) {
  return covers[from].some((cover) => cover === to || reaches(covers, cover, to));
}
