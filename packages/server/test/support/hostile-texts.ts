/** Stands in every hostile text, so that the text is found wherever it goes. */
export const MARK = "zqx";

/** Texts that quoting, escaping or rendering without care would run. */
export const hostile: readonly string[] = [
	`${MARK}' OR 1=1 --`,
	`') UNION ALL SELECT '${MARK}', password_hash FROM users, system.tables --`,
	`${MARK}\\`,
	`\\'; DROP TABLE events; DROP TABLE users; -- ${MARK}`,
	`{${MARK}:String} {{7*7}}\${7*7}`,
	`${MARK}\0\n\t\r\b`,
	`${MARK}\r\nSet-Cookie: ${MARK}=1`,
	`"${MARK}\` /* */ \${1}`,
	`<script>${MARK}</script>`,
	`%_${MARK}[(*+?`,
	`(a+)+$${MARK}`,
	`../../../../etc/passwd%00${MARK}`,
	`=cmd|'/c calc'!A1 ${MARK}`,
	`😀 ${MARK} \u202e\ufeff`,
];

/** True in the core, which takes a part of what the rest of the tests takes whole. */
export const isCore = process.env.TEST_GROUP === "core";

/** A part of a list by turns: routes share their parameters and fields, and neighbours get the other parts. */
export const share = <Of>(all: readonly Of[], turn: number, parts = 3): Of[] =>
	all.filter((_, at) => at % parts === turn % parts);
