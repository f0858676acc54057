import { sql } from "kysely";
import { randomLowerAlphanumeric } from "../../src/platform/lib/ids.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";

/** Why tests on PostgreSQL are skipped; false when they run. */
export const postgresSkip: string | false =
	process.env.TEST_DATABASE_URL === undefined ? "set TEST_DATABASE_URL to a PostgreSQL that may be written" : false;

/** A new schema in the PostgreSQL of TEST_DATABASE_URL, so that test runs do not meet. */
export async function testSchema(): Promise<{ readonly url: string; drop(): Promise<void> }> {
	const base = process.env.TEST_DATABASE_URL;
	if (base === undefined) throw new Error("TEST_DATABASE_URL is not set");
	const name = `test_${randomLowerAlphanumeric(12)}`;
	const run = async (statement: "create" | "drop") => {
		const admin = await openMetadata({ databaseUrl: base, dataDir: "" });
		if (statement === "create") await sql`create schema ${sql.id(name)}`.execute(admin);
		else await sql`drop schema ${sql.id(name)} cascade`.execute(admin);
		await admin.destroy();
	};
	await run("create");
	const url = new URL(base);
	url.searchParams.set("options", `-c search_path=${name}`);
	return { url: url.toString(), drop: () => run("drop") };
}
