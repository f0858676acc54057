/** Headers as lines that can be edited: `X-Token: abc`. */
export const linesOf = (headers: Readonly<Record<string, string>>): string =>
	Object.entries(headers)
		.map(([name, value]) => `${name}: ${value}`)
		.join("\n");

/** The headers that lines describe; a line without a colon is a name without a value. */
export const headersOf = (lines: string): Readonly<Record<string, string>> =>
	Object.fromEntries(
		lines
			.split("\n")
			.filter((line) => line.trim() !== "")
			.map((line) => {
				const colon = line.indexOf(":");
				return colon < 0 ? [line.trim(), ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
			}),
	);
