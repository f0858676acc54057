/** A page with each table between its marks, `<!-- bench:capacity NAME -->` and `<!-- end -->`. Throws where one has no place. */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
	let result = page;
	for (const [name, text] of Object.entries(tables)) {
		const mark = `<!-- bench:capacity ${name} -->\n`;
		const from = result.indexOf(mark);
		const to = result.indexOf("<!-- end -->", from);
		if (from < 0 || to < 0) throw new Error(`the page has no place for the table ${name}`);
		result = `${result.slice(0, from + mark.length)}\n${text}\n\n${result.slice(to)}`;
	}
	return result;
}
