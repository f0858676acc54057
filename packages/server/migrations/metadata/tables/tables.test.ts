import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseFileSync, type TsType, type TsTypeElement } from "@swc/core";
import { sql } from "kysely";
import { openJobStore } from "../../../test/support/job-stores.ts";
import { postgresSkip } from "../../../test/support/test-schema.ts";

const folder = new URL("./", import.meta.url);
const platform = new URL("../../../src/platform/", import.meta.url);

/** Every file that declares tables. */
const files = [
	...readdirSync(folder)
		.filter((name) => !/^(index|.*\.test)\.ts$/.test(name))
		.map((name) => new URL(name, folder)),
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
	const tables = nodes.flatMap((node) => {
		const declared = node.type === "ExportDeclaration" ? node.declaration : undefined;
		const isTables = declared?.type === "TsTypeAliasDeclaration" && declared.id.value.endsWith("Tables");
		return isTables ? propertiesOf(declared.typeAnnotation) : [];
	});
	return tables.flatMap(([table, row]) =>
		propertiesOf(row).map(([column, type]) => `${table}.${column}: ${kindOf(type)}`),
	);
}

interface StoredColumn {
	readonly place: string;
	readonly type: string;
	readonly isNullable: boolean | number;
}

/** SQLite lets a key be null that is no number; nothing stores one. */
const storedColumns = {
	sqlite: sql<StoredColumn>`
		select owner.name || '.' || part.name as place, part.type, part."notnull" = 0 and part.pk = 0 as "isNullable"
		from sqlite_schema owner, pragma_table_info(owner.name) part
		where owner.type = 'table' and owner.name not like 'sqlite_%'`,
	postgres: sql<StoredColumn>`
		select table_name || '.' || column_name as place, data_type as type, is_nullable = 'YES' as "isNullable"
		from information_schema.columns where table_schema = current_schema()`,
};

for (const engine of ["sqlite", "postgres"] as const) {
	const skip = engine === "postgres" ? postgresSkip : false;
	test(`every table has the columns that are declared for it, and no others (${engine})`, { skip }, async () => {
		const store = await openJobStore(engine);
		try {
			const { rows } = await storedColumns[engine].execute((await store.process()).metadata);
			const stored = rows.map(({ place, type, isNullable }) => {
				return `${place}: ${type.toLowerCase() === "text" ? "text" : "number"}${isNullable ? " or null" : ""}`;
			});
			assert.deepEqual(declaredColumns().sort(), stored.sort());
		} finally {
			await store.close();
		}
	});
}
