// Runs before anything is drawn: the reader's choices in the dashboard hold here too.
const chosen = (name: string): string | undefined =>
	document.cookie
		.split("; ")
		.find((pair) => pair.startsWith(`${name}=`))
		?.slice(name.length + 1);

const root = document.documentElement;
const theme = chosen("footfall_theme");
if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
if ((chosen("footfall_lang") ?? navigator.language).startsWith("es")) root.dataset["reader"] = "es";
