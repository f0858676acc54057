import { deriveKey, seal, unseal } from "./crypto.ts";

/** Source of the server's keys. */
export interface ServerSecrets {
	readonly secretKey: string;
	/** The previous secret during a rotation: values sealed with it can still be opened. */
	readonly secretKeyPrevious: string | undefined;
}

/** Keeps values that say all there is to say, such as the token of a link. */
export interface ValueSealer<Value> {
	seal(value: Value): string;
	/** The value that was sealed, with either secret; undefined when neither opens it. */
	open(sealed: string): Value | undefined;
}

/**
 * Seals texts with AES-256-GCM under keys that HKDF-SHA-256 derives from the server's secret, the purpose and the id, so that
 * a sealed text copied to another row, or to another purpose, stays shut. `purpose` is part of what is stored: another word
 * cannot decrypt earlier values.
 */
export function createSealer(secrets: ServerSecrets, purpose: string) {
	type Id = string | number;
	const keyOf = (id: Id) => deriveKey(secrets.secretKey, `${purpose} ${id}`);
	const sealText = (id: Id, text: string): string => seal(keyOf(id), text);
	/** The text that was sealed for this id, with either secret; undefined when neither opens it. */
	const open = (id: Id, sealed: string) => openWithEither(secrets, `${purpose} ${id}`, sealed);
	/** The same text sealed with the present secret: `sealed` itself when it is already, undefined when neither secret opens it. */
	const reseal = (id: Id, sealed: string): string | undefined => {
		if (unseal(keyOf(id), sealed) !== undefined) return sealed;
		const text = open(id, sealed);
		return text === undefined ? undefined : sealText(id, text);
	};
	return { seal: sealText, open, reseal };
}

/** The same for values, as JSON, under one key for each purpose. */
export function createValueSealer<Value>(secrets: ServerSecrets, purpose: string): ValueSealer<Value> {
	return {
		seal: (value) => seal(deriveKey(secrets.secretKey, purpose), JSON.stringify(value)),
		open: (sealed) => {
			const text = openWithEither(secrets, purpose, sealed);
			return text === undefined ? undefined : (JSON.parse(text) as Value);
		},
	};
}

function openWithEither({ secretKey, secretKeyPrevious }: ServerSecrets, label: string, sealed: string) {
	const text = unseal(deriveKey(secretKey, label), sealed);
	if (text !== undefined || secretKeyPrevious === undefined) return text;
	return unseal(deriveKey(secretKeyPrevious, label), sealed);
}

/** Stores rows sealed with the present secret. `resealed`: the sealed columns, undefined where one cannot be opened. Answers how many rows are lost. */
export async function resealRows<Row extends Columns, Columns extends object>(
	rows: readonly Row[],
	resealed: (row: Row) => { readonly [Name in keyof Columns]: Columns[Name] | undefined },
	replace: (row: Row, columns: Columns) => Promise<unknown>,
): Promise<number> {
	let lost = 0;
	for (const row of rows) {
		const columns = resealed(row);
		const values = Object.entries(columns);
		if (values.some(([, value]) => value === undefined)) lost++;
		else if (values.some(([name, value]) => value !== row[name as keyof Columns]))
			await replace(row, columns as Columns);
	}
	return lost;
}
