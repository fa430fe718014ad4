// Checks the built style sheet against the oldest supported browsers (islands-react/baseline.mjs), by
// MDN's compatibility data: at-rules, media queries, selectors, properties, and the keywords, functions
// and units of values. A feature that one of those browsers lacks is an error, unless an earlier
// declaration in the same rule is a fallback for all of them, or PROGRESSIVE names the feature.
import { createRequire } from "node:module";
import { join } from "node:path";
import { BASELINE } from "../islands-react/baseline.mjs";
import { ROOT } from "./build/cargo.mjs";
import { buildStyles } from "./build/styles.mjs";

const load = createRequire(join(ROOT, "end2end/package.json"));
const { css: MDN } = load("@mdn/browser-compat-data");
const { generate, parse, walk } = load("css-tree");

/** Features that some browsers of the baseline lack, by MDN's key, and what those browsers show instead. */
const PROGRESSIVE = {
	"at-rules.container": "large text wraps next to the monogram of a bank",
	"at-rules.font-face.ascent-override":
		"texts move a little when the font arrives",
	"at-rules.font-face.descent-override": "the same",
	"at-rules.font-face.line-gap-override": "the same",
	"at-rules.font-face.size-adjust": "the same",
	"at-rules.media.forced-colors": "they have no such setting",
	"at-rules.media.prefers-contrast": "the usual contrast, which suffices",
	"at-rules.media.scripting":
		"without JavaScript, a notice, and controls without effect",
	"properties.align-content.start":
		"nothing else: all uses are in grids, where Safari has it since 10.1",
	"properties.container-type": "see at-rules.container",
	"properties.cursor": "an iPhone has no pointer",
	"properties.overscroll-behavior":
		"the page scrolls on at the end of the list of banks",
	"properties.text-size-adjust":
		"they enlarge no text, or have it with a prefix",
	"properties.text-wrap": "lines as long as they fit",
	"properties.user-select.all": "a support code is selected like other text",
	"selectors.has": "a ticked box without a background of its own",
};

/** MDN's names of each browser, on computers and on phones. */
const BROWSERS = {
	chrome: ["chrome", "chrome_android", "webview_android"],
	safari: ["safari", "safari_ios"],
	firefox: ["firefox", "firefox_android"],
};

/** Units that MDN's data lists in groups. */
const UNIT_GROUPS = [
	[/^cq/, "types.length.container_query_length_units"],
	[/^dv/, "types.length.viewport_percentage_units_dynamic"],
	[/^lv/, "types.length.viewport_percentage_units_large"],
	[/^sv/, "types.length.viewport_percentage_units_small"],
];

const oldest = BASELINE.flatMap((target) => {
	const [, name, version] = /^([a-z]+)([\d.]+)$/.exec(target);
	return BROWSERS[name].map((browser) => ({
		browser,
		version: Number(version),
	}));
});
const types = keysByName(MDN.types, "types");
const used = new Set();
const errors = new Set();

const sheet = parse(await buildStyles({ minify: false }), {
	positions: true,
	parseCustomProperty: true,
	onParseError: ({ line, message }) => errors.add(`line ${line}: ${message}`),
});
walk(sheet, function (node) {
	switch (node.type) {
		case "Atrule":
			demand(`at-rules.${node.name}`, node);
			if (node.name === "layer" && node.block === null)
				report("Chromium 102 hangs on a list of layers (style/main.css)", node);
			break;
		case "MediaQuery":
			checkMediaQuery(node);
			break;
		case "Rule":
			if (node.prelude.type === "SelectorList") checkSelectors(node.prelude);
			break;
		case "NestingSelector":
			demand("selectors.nesting", node);
			break;
		case "Declaration":
			checkDeclaration(
				node,
				this.block.children.toArray(),
				this.rule === null ? `at-rules.${this.atrule.name}` : "properties",
			);
			break;
	}
});
for (const key of Object.keys(PROGRESSIVE)) {
	if (!used.has(key))
		errors.add(`PROGRESSIVE names ${key}, which no rule needs`);
}
for (const error of errors) console.error(`✗ ${error}`);
process.exitCode = errors.size > 0 ? 1 : 0;

function checkMediaQuery(query) {
	walk(query, ({ type, name }) => {
		if (type === "FeatureRange") demand("at-rules.media.range_syntax", query);
		if (type === "Feature")
			demand(`at-rules.media.${name.replace(/^(min|max)-/, "")}`, query);
		// `not` without a media type has no entry of its own; browsers added it together with `or`.
		if (type === "Identifier" && ["not", "or"].includes(name))
			demand("at-rules.media.or_syntax", query);
	});
}

function checkSelectors(list) {
	for (const selector of list.children) {
		walk(selector, ({ type, name }) => {
			if (type !== "PseudoClassSelector" && type !== "PseudoElementSelector")
				return;
			const key = `selectors.${name}`;
			if (list.children.size > 1 && lacking(key).length > 0)
				report(`${key} makes browsers drop the whole list`, list);
			else demand(key, selector);
		});
	}
}

/**
 * @param siblings all nodes of its block
 * @param group the part of MDN's data that has it: the properties, or an at-rule
 */
function checkDeclaration(declaration, siblings, group) {
	const { property, value } = declaration;
	const earlier = siblings
		.slice(0, siblings.indexOf(declaration))
		.filter((other) => other.property === property);
	if (
		earlier.some((other) =>
			featuresOf(other, group).every((key) => lacking(key).length === 0),
		)
	)
		return;
	const prefixed = (prefix) =>
		siblings.some((other) => other.property === prefix + property);
	const [whole, ...parts] = featuresOf({ property, value }, group);
	for (const key of lacking(whole, prefixed).length > 0 ? [whole] : parts)
		demand(key, declaration, prefixed);
}

/**
 * The keys of a property and of the keywords, functions and units in its value. The first one is
 * undefined for custom and prefixed properties.
 */
function featuresOf({ property, value }, group) {
	const whole = property.startsWith("-") ? undefined : `${group}.${property}`;
	const keys = new Set();
	walk(value, ({ type, name, unit }) => {
		if (type === "Dimension")
			keys.add(
				UNIT_GROUPS.find(([pattern]) => pattern.test(unit))?.[1] ??
					`types.length.${unit}`,
			);
		if (type === "Function")
			for (const key of types.get(name) ?? []) keys.add(key);
		if (type === "Identifier" || type === "Function")
			keys.add(`${whole}.${name}`);
	});
	return [whole, ...[...keys].filter((key) => supportOf(key) !== undefined)];
}

/** Reports a feature that a browser of the baseline lacks, unless PROGRESSIVE names it or its property. */
function demand(key, node, prefixed) {
	const browsers = lacking(key, prefixed);
	if (browsers.length === 0) return;
	const known = Object.keys(PROGRESSIVE).find(
		(name) => key === name || key.startsWith(`${name}.`),
	);
	if (known === undefined)
		report(`${key} is not in ${browsers.join(", ")}`, node);
	else used.add(known);
}

function report(what, node) {
	errors.add(
		`line ${node.loc.start.line}: ${what}: ${generate(node).slice(0, 100)}`,
	);
}

/**
 * @param key undefined for a feature that needs no support
 * @param prefixed returns whether the rule also has the property with a prefix
 * @returns the browsers of the baseline that lack the feature
 */
function lacking(key, prefixed = () => false) {
	if (key === undefined) return [];
	const support = supportOf(key);
	if (support === undefined) return ["the data of MDN"];
	const reads = (
		{
			version_added: since,
			version_removed: until,
			prefix,
			flags,
			alternative_name: other,
		},
		version,
	) =>
		Number.parseFloat(`${since}`.replace("≤", "")) <= version &&
		!(Number.parseFloat(until) <= version) &&
		flags === undefined &&
		other === undefined &&
		(prefix === undefined || prefixed(prefix));
	const without = oldest.filter(
		({ browser, version }) =>
			![support[browser] ?? []].flat().some((entry) => reads(entry, version)),
	);
	return without.map(({ browser, version }) => `${browser} ${version}`);
}

function supportOf(key) {
	return key.split(".").reduce((entry, name) => entry?.[name], MDN)?.__compat
		?.support;
}

/** The keys of all entries below `entry`, by their last name. */
function keysByName(entry, key, found = new Map()) {
	for (const [name, below] of Object.entries(entry)) {
		if (name === "__compat") continue;
		found.set(name, [...(found.get(name) ?? []), `${key}.${name}`]);
		keysByName(below, `${key}.${name}`, found);
	}
	return found;
}
