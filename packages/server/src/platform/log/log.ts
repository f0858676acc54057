type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** What a part of the service needs of the log. Fields never hold secrets, addresses of people or anything a visitor sent. */
export interface Log {
	readonly info: Write;
	readonly warn: Write;
	readonly error: Write;
}
