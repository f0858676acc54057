import type { IncomingMessage } from "node:http";
import { finished } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyHeaders } from "@fastify/busboy";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { ImportDeps } from "./deps.ts";
import { type KeptFile, keepFile, newStoredName, shownName } from "./stored-file.ts";

export interface Upload {
	readonly fields: Readonly<Record<string, string>>;
	readonly file: KeptFile;
}

type UploadDeps = Pick<ImportDeps, "files" | "maxBytes">;

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 16 * 1024;
/** Size of the form without the file. */
const FORM_BYTES = 512 * 1024;

const tooLarge = (maxBytes: number) =>
	new ServiceError("payload_too_large", `The file has more than ${maxBytes} bytes (MAX_IMPORT_BYTES)`);
const malformed = () => new ServiceError("bad_request", "The body is not a complete multipart form");

/** Streams the file of a form to the store. Refuses a broken form, one without file or too large, and a full disk, and keeps nothing then. */
export async function takeUpload(deps: UploadDeps, request: IncomingMessage): Promise<Upload> {
	const length = Number(request.headers["content-length"] ?? 0);
	if (length > deps.maxBytes + FORM_BYTES) throw tooLarge(deps.maxBytes);
	await refuseFullDisk(deps, length);
	const storedName = newStoredName();
	try {
		return await receive(deps, request, storedName);
	} catch (error) {
		// The rest of the body has to go somewhere, or the client is not heard out and never reads the answer.
		request.unpipe();
		request.resume();
		await deps.files.remove(storedName);
		throw error;
	}
}

async function refuseFullDisk({ files }: UploadDeps, bytes: number): Promise<void> {
	if (bytes <= (await files.room())) return;
	const message = "The server has too little disk space for the file";
	throw new ServiceError("service_unavailable", { message, retryAfter: HOUR_MS / 1000 });
}

async function receive(deps: UploadDeps, request: IncomingMessage, storedName: string): Promise<Upload> {
	const form = openForm(request, deps.maxBytes);
	const fields: Record<string, string> = {};
	let content: BusboyFileStream | undefined;
	let storing: Promise<Upload["file"]> | undefined;
	const received = new Promise<Upload>((resolve, reject) => {
		form.on("file", (field, stream, name) => {
			// The form reports a fault of a part here too, perhaps before anything reads the part.
			stream.on("error", () => undefined);
			if (field !== "file" || storing !== undefined) {
				stream.resume();
				reject(fieldError(`body.${field}`, "Send one file, in the field file", "unexpected_file"));
				return;
			}
			content = stream;
			storing = keepFile(deps.files, piecesOf(stream, deps.maxBytes), { name: shownName(name), storedName });
			storing.catch(reject);
		});
		form.on("field", (field, value) => {
			fields[field] = value;
		});
		form.on("fieldsLimit", () => reject(new ServiceError("bad_request", "The form has too many fields")));
		form.on("error", () => reject(malformed()));
		finished(request, { writable: false }, (error) => error && reject(malformed()));
		form.on("finish", () => {
			if (storing === undefined) reject(fieldError("body.file", "A file is required", "required"));
			else storing.then((file) => resolve({ fields, file }), reject);
		});
		request.pipe(form);
	});
	try {
		return await received;
	} catch (error) {
		// The form leaves the stream of an incomplete file open, and with it the file that it is written to.
		content?.destroy();
		await storing?.catch(() => undefined);
		throw error;
	}
}

function openForm(request: IncomingMessage, maxBytes: number) {
	try {
		return new Busboy({
			headers: request.headers as BusboyHeaders,
			limits: { fileSize: maxBytes, files: 2, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, headerPairs: 20 },
		});
	} catch {
		throw malformed();
	}
}

async function* piecesOf(stream: BusboyFileStream, maxBytes: number) {
	yield* stream as AsyncIterable<Buffer>;
	if (stream.truncated) throw tooLarge(maxBytes);
}
