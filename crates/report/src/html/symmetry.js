"use strict";
// Draws the symmetry of a model: the group, what it moves onto each other, and what breaks it, in the source.

const data = JSON.parse(document.getElementById("data").textContent);
const { symmetry: group, factors, properties, variables, rules, judged, breaks } = data.analysis;
const source = data.source ? sourceView(data.source) : null;
const MOST_MEMBERS = 60;

/** Orbits as boxes of what is moved onto each other; what stays is told in one line. */
function orbits(title, all) {
  const moved = all.filter((orbit) => orbit.members.length > 1),
    fixed = all.filter((orbit) => orbit.members.length === 1);
  if (all.length === 0) return null;
  const rows = moved.map((orbit) =>
    make(
      "tr",
      { class: "orbit" },
      make("td", {}, orbit.name),
      make("td", { class: "number" }, String(orbit.members.length)),
      make(
        "td",
        {},
        make(
          "div",
          { class: "members" },
          orbit.members.slice(0, MOST_MEMBERS).map((member) => make("code", {}, member)),
          orbit.members.length > MOST_MEMBERS
            ? make("span", { class: "faint" }, `and ${orbit.members.length - MOST_MEMBERS} more`)
            : null,
        ),
      ),
    ),
  );
  const still = fixed.length
    ? make(
        "p",
        { class: "faint" },
        `${fixed.length} stay where they are: ${shortened(fixed.map((orbit) => orbit.name).join(", "), 600)}`,
      )
    : null;
  return section(title, moved.length ? table(["orbit", "members", ""], rows) : null, still);
}

function theGroup() {
  const sure = group.verified ? "verified" : "not verified";
  return section(
    "The group",
    facts([
      ["structure", group.structure],
      ["order", grouped(group.order)],
      ["from", group.derived],
      ["", sure],
      ["generators", group.generators.join(" ")],
      ["at best", group.order === "1" ? "no fewer states" : grouped(group.order) + " times fewer states"],
    ]),
    factors.length
      ? table(
          ["type", "interchangeable", "not interchangeable", ""],
          factors.map((factor) =>
            make(
              "tr",
              {},
              make("td", {}, factor.name),
              make("td", { class: "mono" }, factor.elements.join(" ")),
              make("td", { class: "mono" }, factor.fixed.join(" ")),
              make(
                "td",
                { class: factor.verified ? "holds" : "unknown" },
                `${factor.derived}, ${factor.verified ? "verified" : "not verified"}`,
              ),
            ),
          ),
        )
      : null,
  );
}

function whatBreaks() {
  if (breaks.length === 0)
    return section(
      "What breaks symmetry",
      make("p", { class: "holds" }, "Nothing that is declared or was found is broken."),
    );
  for (const found of breaks) if (found.place) source?.mark(found.place.line, found.code);
  return section(
    "What breaks symmetry",
    table(
      ["", "what", "where"],
      breaks.map((found) =>
        make(
          "tr",
          { class: "break" },
          make("td", {}, make("code", {}, found.code)),
          make("td", {}, found.message),
          make("td", {}, placeLink(found.place, source)),
        ),
      ),
    ),
  );
}

function ofProperties() {
  if (properties.length === 0) return null;
  return section(
    "Properties with a smaller group",
    table(
      ["property", "group", "order"],
      properties.map((property) =>
        make(
          "tr",
          {},
          make("td", {}, property.property),
          make("td", { class: "mono" }, property.structure),
          make("td", { class: "number" }, grouped(property.order)),
        ),
      ),
    ),
  );
}

function claims() {
  if (judged.length === 0) return null;
  return section(
    "Claims",
    table(
      ["permutation", "", ""],
      judged.map((claim) =>
        make(
          "tr",
          {},
          make("td", { class: "mono" }, claim.name),
          make("td", {}, claim.verdict),
          make("td", {}, claim.reason ?? ""),
        ),
      ),
    ),
  );
}

const header = make(
  "header",
  {},
  make("h1", {}, `${data.analysis.model}: ${group.structure === "trivial" ? "no symmetry" : group.structure}`),
  make("p", { class: "faint" }, `Burnside ${data.version}`),
);
document
  .getElementById("page")
  .replaceChildren(
    ...[
      header,
      theGroup(),
      whatBreaks(),
      ofProperties(),
      claims(),
      orbits("Orbits of variables", variables),
      orbits("Orbits of rules", rules),
      source ? section("Source", source.element) : null,
    ].filter((part) => part !== null),
  );
if (breaks.length && breaks[0].place) source?.show(breaks[0].place.line, false);
