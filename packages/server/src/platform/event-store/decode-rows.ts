type Decoder = (value: unknown) => unknown;

const NUMBER = /^(U?Int\d+|Float\d+|BFloat16|Decimal\w*(\(.*\))?)$/;

/** Undefined when the JSON value already is what callers get. */
function decoderOf(type: string): Decoder | undefined {
	const inner = argumentOf(type);
	if (inner !== undefined) {
		const [name, argument] = inner;
		if (name === "Nullable" || name === "LowCardinality") return decoderOf(argument);
		if (name === "SimpleAggregateFunction") return decoderOf(splitArguments(argument).slice(1).join(", "));
		if (name === "Array") return arrayDecoder(decoderOf(argument));
		if (name === "Map") return mapDecoder(decoderOf(splitArguments(argument).slice(1).join(", ")));
	}
	return NUMBER.test(type) ? toNumber : undefined;
}

const toNumber: Decoder = (value) => (typeof value === "string" ? Number(value) : value);

function arrayDecoder(element: Decoder | undefined): Decoder | undefined {
	return element && ((value) => (Array.isArray(value) ? value.map(element) : value));
}

interface MapEntry {
	readonly keys: string;
	readonly values: unknown;
}

/** Maps come as lists of named pairs. */
function mapDecoder(element: Decoder = (value) => value): Decoder {
	return (entries) =>
		Object.fromEntries((entries as readonly MapEntry[]).map(({ keys, values }) => [keys, element(values)]));
}

function argumentOf(type: string): readonly [string, string] | undefined {
	const open = type.indexOf("(");
	return open > 0 && type.endsWith(")") ? [type.slice(0, open), type.slice(open + 1, -1)] : undefined;
}

/** Splits at the commas of the outermost level. */
function splitArguments(text: string): string[] {
	const parts: string[] = [];
	let depth = 0;
	let start = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === "(") depth++;
		else if (character === ")") depth--;
		else if (character === "," && depth === 0) {
			parts.push(text.slice(start, at).trim());
			start = at + 1;
		}
	}
	parts.push(text.slice(start).trim());
	return parts;
}

/** A function that turns compact JSON rows into objects, by the column types that the engine declares. */
export function rowDecoder<Row extends object>(
	names: readonly string[],
	types: readonly string[],
): (values: readonly unknown[]) => Row {
	const decoders = types.map(decoderOf);
	return (values) => {
		const row: Record<string, unknown> = {};
		for (let at = 0; at < names.length; at++) {
			const name = names[at];
			if (name === undefined) continue;
			const decode = decoders[at];
			row[name] = decode ? decode(values[at]) : values[at];
		}
		return row as Row;
	};
}
