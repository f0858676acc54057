import type { TSchema } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { coerceTexts, type SchemaLike } from "../../../platform/http/coerce.ts";
import { KEY_FILE } from "./schemas.ts";

interface Upload {
	/** With its boundary. */
	readonly contentType: string;
	readonly bytes: Buffer;
	readonly query: Readonly<Record<string, unknown>>;
}

const bad = (message: string) => new ServiceError("bad_request", { message });

/**
 * The body that a form with a key file stands for: the file's content as `service_account`, the other fields from the form or
 * the query string. Throws `bad_request` for what is no such form.
 */
export async function readKeyUpload(
	{ contentType, bytes, query }: Upload,
	schema: TSchema,
): Promise<Record<string, unknown>> {
	const like: SchemaLike = schema;
	const form = await formOf(contentType, bytes);
	const file = form.get(KEY_FILE);
	if (file === null) throw bad(`The form has no field ${KEY_FILE}`);
	const texts: Record<string, unknown> = { ...query };
	for (const name of new Set(form.keys())) {
		const values = form.getAll(name).filter((value) => typeof value === "string");
		if (name !== KEY_FILE) texts[name] = values.length > 1 ? values : values[0];
	}
	const { service_account: _, ...others } = texts;
	return { ...coerceTexts(like, others), service_account: contentOf(await textOf(file)) };
}

async function formOf(contentType: string, bytes: Buffer): Promise<FormData> {
	try {
		return await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData();
	} catch {
		throw bad("The body is not a valid form");
	}
}

const textOf = async (file: string | File): Promise<string> => (typeof file === "string" ? file : file.text());

function contentOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw bad("The key file is not JSON");
	}
}
