/** Browsers by what their user agents say, the more particular first: most claim to be others too. */
const browsers = [
	["Edge", /\bEdg(A|iOS)?\//],
	["Opera", /\bOPR\//],
	["Firefox", /\b(Firefox|FxiOS)\//],
	["Chrome", /\b(Chrome|CriOS)\//],
	["Safari", /\bSafari\//],
	["curl", /^curl\//],
] as const;
const systems = [
	["iPhone", /\biPhone\b/],
	["iPad", /\biPad\b/],
	["Android", /\bAndroid\b/],
	["Windows", /\bWindows\b/],
	["macOS", /\bMac OS X\b/],
	["Linux", /\bLinux\b/],
] as const;

/** Browser and system of a user agent; undefined where it has none. */
export const deviceOf = (userAgent: string | null) => ({
	browser: browsers.find(([, sign]) => sign.test(userAgent ?? ""))?.[0],
	system: systems.find(([, sign]) => sign.test(userAgent ?? ""))?.[0],
});
