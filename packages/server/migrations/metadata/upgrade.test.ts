import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseFileSync, type TsType, type TsTypeElement } from "@swc/core";
import { sql } from "kysely";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { migrateMetadata } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { ownTables } from "../../test/support/own-tables.ts";
import { postgresSkip, testSchema } from "../../test/support/test-schema.ts";
import { metadataMigrations } from "./index.ts";

const NOW = Date.UTC(2026, 10, 21);

type Engine = "SQLite" | "PostgreSQL";

/** A store that a number of steps have made. */
async function withStore<T>(engine: Engine, steps: number, work: (metadata: Metadata) => Promise<T>): Promise<T> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-upgrade-"));
	const schema = engine === "PostgreSQL" ? await testSchema() : undefined;
	const metadata = await openMetadata({ dataDir, databaseUrl: schema?.url });
	try {
		await migrateMetadata(metadata, metadataMigrations.slice(0, steps), NOW);
		return await work(metadata);
	} finally {
		await metadata.destroy();
		await schema?.drop();
		rmSync(dataDir, { recursive: true, force: true });
	}
}

/** Tables with their columns, types and rules, in an order that does not depend on when they were made. */
const describeTables = async (metadata: Metadata) =>
	(await ownTables(metadata))
		.flatMap(({ name: table, columns }) =>
			columns.map(({ name, type, isNullable }) => `${table}.${name} ${type}${isNullable ? " or null" : ""}`),
		)
		.sort();

/** A user with an organization and a site, as the first version stored them. */
async function storeFirstRows(metadata: Metadata): Promise<void> {
	for (const statement of [
		sql`insert into users (email, name, role, password_hash, is_active, created_at, updated_at)
			values ('ann@example.com', 'Ann', 'user', 'hash', 1, ${NOW}, ${NOW})`,
		sql`insert into organizations (id, slug, name, is_personal, is_active, plan_tier, created_at, updated_at)
			values ('org', 'org', 'Org', 0, 1, 'free', ${NOW}, ${NOW})`,
		sql`insert into organization_members (organization_id, user_id, role, created_at) values ('org', 1, 'owner', ${NOW})`,
		sql`insert into sites (id, organization_id, name, timezone, currency, is_active, bot_threshold, created_at)
			values ('shop', 'org', 'Shop', 'UTC', 'EUR', 1, 80, ${NOW})`,
		sql`insert into sessions (id, user_id, refresh_hash, rotated_hashes, created_at, last_used_at, expires_at)
			values ('session', 1, 'hash', '[]', ${NOW}, ${NOW}, ${NOW})`,
		sql`insert into api_tokens (user_id, name, token_hash, token_prefix, scopes, created_at)
			values (1, 'key', 'hash', 'svc_abcd', '["stats:read"]', ${NOW})`,
	]) {
		await statement.execute(metadata);
	}
}

const firstRows = async (metadata: Metadata) => {
	const { rows } = await sql<Record<string, unknown>>`
		select users.email, users.is_active, organizations.plan_tier, sites.id as site, sites.created_at, api_tokens.name as token
		from users
		join organization_members on organization_members.user_id = users.id
		join organizations on organizations.id = organization_members.organization_id
		join sites on sites.organization_id = organizations.id
		join sessions on sessions.user_id = users.id
		join api_tokens on api_tokens.user_id = users.id`.execute(metadata);
	return rows.map((row) => ({ ...row }));
};

const tables = new URL("tables/", import.meta.url);
const platform = new URL("../../src/platform/", import.meta.url);

/** Every file that declares tables. */
const files = [
	...readdirSync(tables)
		.filter((name) => name !== "index.ts")
		.map((name) => new URL(name, tables)),
	new URL("metadata/migrate-metadata.ts", platform),
	new URL("metadata/setting-versions.ts", platform),
	new URL("jobs/job-tables.ts", platform),
	new URL("http/rate-limit/stored-rate-counter.ts", platform),
];

/** The properties of a type that is written as `{ … }`. */
function propertiesOf(type: TsType): [string, TsType][] {
	if (type.type !== "TsTypeLiteral") return [];
	return type.members.flatMap((member: TsTypeElement): [string, TsType][] => {
		if (member.type !== "TsPropertySignature" || member.key.type !== "Identifier" || !member.typeAnnotation) return [];
		return [[member.key.value, member.typeAnnotation.typeAnnotation]];
	});
}

const isNull = (type: TsType): boolean => type.type === "TsKeywordType" && type.kind === "null";

/** The stored type of a column: numbers or texts; a closed vocabulary has its own name or is a union of literals. */
function kindOf(type: TsType): string {
	if (type.type === "TsUnionType") {
		const kinds = new Set(type.types.filter((one) => !isNull(one)).map(kindOf));
		return [...kinds, ...(type.types.some(isNull) ? ["null"] : [])].join(" or ");
	}
	const isGenerated =
		type.type === "TsTypeReference" && "value" in type.typeName && type.typeName.value === "Generated";
	return isGenerated || (type.type === "TsKeywordType" && type.kind === "number") ? "number" : "text";
}

/** The columns of all tables, as the types declare them. */
function declaredColumns(): string[] {
	const nodes = files.flatMap((file) => parseFileSync(fileURLToPath(file), { syntax: "typescript" }).body);
	const declared = nodes.flatMap((node) => {
		const declaration = node.type === "ExportDeclaration" ? node.declaration : undefined;
		const isTables = declaration?.type === "TsTypeAliasDeclaration" && declaration.id.value.endsWith("Tables");
		return isTables ? propertiesOf(declaration.typeAnnotation) : [];
	});
	return declared.flatMap(([table, row]) =>
		propertiesOf(row).map(([column, type]) => `${table}.${column} ${kindOf(type)}`),
	);
}

for (const engine of ["SQLite", "PostgreSQL"] as const) {
	describe(`a store in ${engine}`, { skip: engine === "PostgreSQL" ? postgresSkip : false }, () => {
		test("has the columns that are declared, and no others, also when an older one was brought up to date, which keeps its rows", async () => {
			const fresh = await withStore(engine, metadataMigrations.length, describeTables);
			const kinds = fresh.map((line) =>
				line.replace(/ (.+?)(?= or null|$)/, (_, type) => (/^text$/i.test(type) ? " text" : " number")),
			);
			assert.deepEqual(kinds.sort(), declaredColumns().sort());
			// From the first version all steps run on either engine.
			const last = engine === "SQLite" ? metadataMigrations.length - 1 : 1;
			for (let version = 1; version <= last; version++) {
				await withStore(engine, version, async (metadata) => {
					await storeFirstRows(metadata);
					const applied = await migrateMetadata(metadata, metadataMigrations, NOW);
					const expected = metadataMigrations.slice(version).map(({ name }) => name);
					assert.deepEqual(applied, expected);
					assert.deepEqual(await describeTables(metadata), fresh, `from ${metadataMigrations[version - 1]?.name}`);
					assert.deepEqual(await firstRows(metadata), [
						{ email: "ann@example.com", is_active: 1, plan_tier: "free", site: "shop", created_at: NOW, token: "key" },
					]);
					assert.deepEqual(await migrateMetadata(metadata, metadataMigrations, NOW), []);
				});
			}
		});
	});
}

test("an upgrade counts the months of imports that have rows by their reports, and one where there is no report", async () => {
	await withStore("SQLite", 37, async (metadata) => {
		const report = JSON.stringify({ by_day: ["2026-10-01", "2026-10-31", "2026-11-01"].map((date) => ({ date })) });
		for (const [id, batches, text] of [
			["read", 3, report],
			["failed", 1, null],
			["waits", 0, null],
		] as const)
			await sql`insert into imports (import_id, site_id, source, file_name, file_size_bytes, file_sha256, dry_run, timezone,
				column_map, status, progress_percent, batches_done, report, created_at) values (${id}, 'shop', 'access_log', 'a.log', 1,
				${id}, 0, 'UTC', '{}', 'completed', 100, ${batches}, ${text}, ${NOW})`.execute(metadata);
		await migrateMetadata(metadata, metadataMigrations, NOW);
		const counted = sql<{ line: string }>`select import_id || ' ' || partitions as line from imports order by id`;
		const { rows } = await counted.execute(metadata);
		const found = rows.map(({ line }) => line);
		assert.deepEqual(found, ["read 2", "failed 1", "waits 0"]);
	});
});
