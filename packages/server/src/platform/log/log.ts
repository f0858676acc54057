type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The log as parts of the service use it. Fields never hold secrets, addresses of people or data of a visitor. */
export interface Log {
	readonly info: Write;
	readonly warn: Write;
	readonly error: Write;
}
