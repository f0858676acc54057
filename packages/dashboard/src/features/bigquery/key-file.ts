/** A service account's key, as its file holds it. */
export interface KeyFile {
	readonly content: Readonly<Record<string, unknown>>;
	/** The account. */
	readonly email: string;
	/** The project that it is of; the dataset may lie in another one. */
	readonly project: string;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads the text of a key file; undefined for what is none. The server looks closer. */
export function readKey(text: string): KeyFile | undefined {
	try {
		const content: unknown = JSON.parse(text);
		if (typeof content !== "object" || content === null || Array.isArray(content)) return undefined;
		const fields = content as Readonly<Record<string, unknown>>;
		const email = textOf(fields.client_email);
		if (fields.type !== "service_account" || email === "" || textOf(fields.private_key) === "") return undefined;
		return { content: fields, email, project: textOf(fields.project_id) };
	} catch {
		return undefined;
	}
}
