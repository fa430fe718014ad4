/** Whether the focus can be seen. */

/**
 * Runs in the page. Returns why the focus on an element is not visible, or an empty text if it is: a
 * ring of at least 2 px with a contrast of 3:1, on the screen and uncovered.
 */
export function whyFocusIsUnseen(element: Element): string {
	const light = (color: string) => {
		const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? [])
			.map(Number)
			.map((one) => {
				const part = one / 255;
				return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
			});
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (one: string, other: string) => {
		const [low = 0, high = 0] = [light(one), light(other)].sort(
			(a, b) => a - b,
		);
		return (high + 0.05) / (low + 0.05);
	};
	const backgroundOf = (one: Element | null): string => {
		if (one === null) return "rgb(255, 255, 255)";
		const { backgroundColor } = getComputedStyle(one);
		return /, 0\)$|transparent/.test(backgroundColor)
			? backgroundOf(one.parentElement)
			: backgroundColor;
	};
	// The label of a checkbox draws the ring around both.
	const label =
		element instanceof HTMLInputElement && element.type === "checkbox"
			? element.labels?.[0]
			: undefined;
	const rings = [{ of: element, style: getComputedStyle(element) }];
	if (label)
		rings.push({
			of: label.parentElement ?? label,
			style: getComputedStyle(label, "::after"),
		});
	const ring = rings.find(
		({ style }) =>
			style.outlineStyle !== "none" &&
			Number.parseFloat(style.outlineWidth) >= 2,
	);
	if (!ring) return `no ring: ${getComputedStyle(element).outline}`;
	const { outlineColor, outlineOffset, opacity } = ring.style;
	const behind = backgroundOf(
		Number.parseFloat(outlineOffset) < 0 ? ring.of : ring.of.parentElement,
	);
	if (contrast(outlineColor, behind) < 3) return `${outlineColor} on ${behind}`;
	if (Number(opacity) < 1) return `opacity ${opacity}`;
	const { left, top, right, bottom } = element.getBoundingClientRect();
	const [x, y] = [(left + right) / 2, (top + bottom) / 2];
	if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
		return `off the screen: ${left},${top}`;
	const hit = document.elementFromPoint(x, y);
	const own =
		hit !== null &&
		(element.contains(hit) || hit.closest("label")?.control === element);
	return own ? "" : `covered by ${hit?.outerHTML.slice(0, 80)}`;
}
