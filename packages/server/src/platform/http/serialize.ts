import { Ajv, type ValidateFunction } from "ajv";
import { formats } from "./formats.ts";
import { ErrorEnvelope } from "./schemas.ts";

type SerializerCompiler = (route: {
	schema: unknown;
	url?: string;
	method?: string;
	httpStatus?: string;
}) => (data: unknown) => string;

/** JSON as it is: answers are built by `present` functions whose types come from the same schemas. */
export const plainSerializer: SerializerCompiler = () => JSON.stringify;

/** One for all apps of a process: its own schema of schemas costs more than most others. */
let ajv: Ajv | undefined;
/** By the text of their schema: each app creates its schemas again. */
const compiled = new Map<string, ValidateFunction>();

/** The same, but an answer that differs from its declared schema is an error: for tests. */
export const checkedSerializer: SerializerCompiler = ({ schema, method, url, httpStatus }) => {
	let check: ValidateFunction | undefined;
	return (data) => {
		check ??= compile(schema as object);
		const text = JSON.stringify(data);
		if (check(JSON.parse(text))) return text;
		const faults = (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`).slice(0, 5);
		throw new TypeError(`${method} ${url} ${httpStatus}: the answer differs from its schema: ${faults.join("; ")}`);
	};
};

function compile(schema: object): ValidateFunction {
	const text = JSON.stringify(schema);
	const known = compiled.get(text);
	if (known !== undefined) return known;
	ajv ??= new Ajv({ strictSchema: false, allErrors: true, formats, schemas: [ErrorEnvelope] });
	const check = ajv.compile(schema);
	compiled.set(text, check);
	return check;
}
