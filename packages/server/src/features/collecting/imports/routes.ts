import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { coerceTexts, type SchemaLike } from "../../../platform/http/coerce.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { parseJson } from "../../../platform/http/validate.ts";
import { currentAsker } from "../../../platform/lib/asker.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { siteChangeOf } from "../../tenancy/organizations/index.ts";
import { normalizeTimezone } from "../../tenancy/sites/index.ts";
import { createImport, type ImportInput, refuseUnfinished } from "./create-import.ts";
import type { ImportDeps } from "./deps.ts";
import { getImport, removeImport, startImport, undoImport } from "./end-import.ts";
import { defaultTimezone } from "./formats/index.ts";
import { registerImportJobs } from "./import-jobs.ts";
import { presentImport } from "./present.ts";
import { ColumnMap, Import, ImportFields, ImportForm, ImportList, ImportParams, ListQuery } from "./schemas.ts";
import { imports } from "./store.ts";
import { takeUpload, type Upload } from "./take-upload.ts";

const tags = ["Imports"];
const reading = readingAccount("viewer");
const writing = writingAccount("admin");
const ofOne = { tags, params: ImportParams, querystring: AccountQuery };

/** Each writes a file and starts a process. */
const uploading: RouteLimit = {
	name: "import-upload",
	max: 60,
	windowMs: HOUR_MS,
	by: (request) => request.access?.site?.organizationId,
};

const wrongState = { description: "`conflict`: the import is in another state", ...ErrorRef };
const taken = {
	description: "`duplicate_entry`: the same file was imported; `conflict`: too many unfinished imports",
	...ErrorRef,
};

/** Imports: routes on them, and the jobs that bring them on. */
export function registerImports(app: App, deps: ImportDeps): void {
	registerImportJobs(deps);
	registerUpload(app, deps);
	addRoute(app, "GET /imports", {
		tags,
		summary: "Imports, newest first",
		querystring: ListQuery,
		guard: reading,
		data: ImportList,
		handler: async ({ site, query }) => {
			const { rows, total } = await imports.page(deps.metadata, { site_id: site.id }, ["id desc"], query);
			return { imports: rows.map(presentImport), total };
		},
	});
	addRoute(app, "GET /imports/:import_id", {
		summary: "One import with its report",
		...ofOne,
		guard: reading,
		data: Import,
		handler: async ({ site, params }) => presentImport(await getImport(deps.metadata, site.id, params.import_id)),
	});
	const changes = [
		["run", "Run the import of a dry run", startImport, taken],
		["undo", "Undo an import: removes exactly its rows", undoImport, wrongState],
	] as const;
	for (const [name, summary, change, conflict] of changes) {
		addRoute(app, `POST /imports/:import_id/${name}`, {
			summary,
			...ofOne,
			guard: writing,
			data: Import,
			errors: { ...(name === "run" && errorAnswers("quota_exceeded")), 409: conflict },
			handler: async (request) => {
				const { import_id: importId } = request.params;
				return presentImport(await change(deps, { ...siteChangeOf(request), importId }));
			},
		});
	}
	addRoute(app, "DELETE /imports/:import_id", {
		summary: "Cancel an import, or remove one without rows",
		...ofOne,
		guard: writing,
		empty: "Cancelled or removed",
		errors: { 409: wrongState },
		handler: async ({ site, params }) => {
			await removeImport(deps, { site, importId: params.import_id });
		},
	});
}

const isForm = (type = ""): boolean => type.toLowerCase().startsWith("multipart/form-data");

/** Counts the uploads that run, by site: each takes disk and a process that checks it, so they count as unfinished imports do. */
function uploadCounter({ metadata }: Pick<ImportDeps, "metadata">) {
	const running = new Map<string, number>();
	/** Throws `conflict` when the site has as many unfinished imports as it may. */
	return async <T>(siteId: string, upload: () => Promise<T>): Promise<T> => {
		const others = running.get(siteId) ?? 0;
		running.set(siteId, others + 1);
		try {
			await refuseUnfinished(metadata, siteId, others);
			return await upload();
		} finally {
			const left = (running.get(siteId) ?? 1) - 1;
			if (left > 0) running.set(siteId, left);
			else running.delete(siteId);
		}
	};
}

/** A scope of its own, as it alone takes forms with files. */
function registerUpload(app: App, deps: ImportDeps): void {
	const counted = uploadCounter(deps);
	void app.register(async (scope) => {
		// The route reads the body itself, to a file.
		scope.addContentTypeParser("multipart/form-data", (_request, _body, done) => done(null, {}));
		(scope as App).route({
			method: "POST",
			url: "/imports",
			schema: {
				tags,
				summary: "Import a file of another tool: validates first, unless `dry_run` is `false`",
				consumes: ["multipart/form-data"],
				querystring: AccountQuery,
				body: ImportForm,
				response: { 201: Success(Import), ...errorAnswers("quota_exceeded"), 409: taken },
			},
			config: { guard: writing, limit: uploading },
			// The fields are checked when they have come.
			validatorCompiler: () => () => true,
			handler: async (request, reply) => {
				if (!isForm(request.headers["content-type"])) {
					throw fieldError("body", "Must be a form with a file (multipart/form-data)", "multipart");
				}
				const row = await counted(request.site.id, async () => {
					const upload = await takeUpload(deps, request.raw);
					try {
						const input = readForm(upload, request.site.timezone);
						return await createImport(deps, siteChangeOf(request), input, currentAsker()?.signal);
					} catch (error) {
						await deps.files.remove(upload.file.storedName);
						throw error;
					}
				});
				return reply.code(201).send(success(presentImport(row)));
			},
		});
	});
}

/** Reads the fields of a form. Throws `validation_error` naming the field. */
function readForm({ fields, file }: Upload, siteTimezone: string): ImportInput {
	const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
	const schema = ImportFields as SchemaLike;
	const texts = coerceTexts(schema, given);
	const values = parseJson(ImportFields, JSON.stringify(texts), "body");
	return {
		source: values.source,
		dryRun: values.dry_run,
		timezone: zoneOf(values.timezone, defaultTimezone(values.source, siteTimezone)),
		from: values.date_from ?? null,
		to: values.date_to ?? null,
		columnMap: values.column_map === undefined ? {} : parseJson(ColumnMap, values.column_map, "body.column_map"),
		file,
	};
}

function zoneOf(zone: string | undefined, siteTimezone: string): string {
	if (zone === undefined) return siteTimezone;
	try {
		return normalizeTimezone(zone);
	} catch {
		throw fieldError("body.timezone", "Must be an IANA time zone such as Europe/Madrid", "timezone");
	}
}
