const isDate = (text: string): boolean => {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const time = Date.parse(`${text}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

const isDateTime = (text: string): boolean =>
	/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
	isDate(text.slice(0, 10)) &&
	!Number.isNaN(Date.parse(text));

const isLabel = (label: string): boolean => /^[\p{L}\p{N}-]{1,63}$/u.test(label) && !/^-|-$/.test(label);

/** One `@`, a local part of at most 64 characters without blanks, and a host name of two labels or more (RFC 5321). */
const isEmail = (text: string): boolean => {
	if (text.length > 254) return false;
	const at = text.lastIndexOf("@");
	const local = text.slice(0, at);
	const labels = text.slice(at + 1).split(".");
	const isLocal = /^[^\s@",:;<>()[\]\\]{1,64}$/.test(local) && !/^\.|\.\.|\.$/.test(local);
	return at > 0 && isLocal && labels.length > 1 && labels.every(isLabel);
};

/** The `format` keywords of request schemas; each takes time linear in the text. */
export const formats = {
	date: isDate,
	"date-time": isDateTime,
	email: isEmail,
	uri: (text: string): boolean => text.length <= 8192 && URL.canParse(text),
	uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
};
