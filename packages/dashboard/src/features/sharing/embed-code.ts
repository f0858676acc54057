/** How a framed report looks. */
export interface EmbedLook {
	readonly theme: "auto" | "light" | "dark";
	readonly lang: "auto" | "en" | "es";
	readonly isWithoutMap: boolean;
}

/** The address of a shared link's report for a frame: `/share/x` is `/embed/x`. */
export function embedAddress(url: string, { theme, lang, isWithoutMap }: EmbedLook): string {
	const address = new URL(url.replace("/share/", "/embed/"));
	if (theme !== "auto") address.searchParams.set("theme", theme);
	if (lang !== "auto") address.searchParams.set("lang", lang);
	if (isWithoutMap) address.searchParams.set("hide", "map");
	return address.href;
}

/** HTML that embeds the report, as high as its content. */
export function embedCode(url: string, look: EmbedLook, title: string): string {
	const address = embedAddress(url, look);
	const { origin } = new URL(address);
	return `<iframe id="footfall" src="${address.replaceAll("&", "&amp;")}" title="${title}" loading="lazy" style="width:100%;height:1200px;border:0"></iframe>
<script>
addEventListener("message", ({ origin, data }) => {
  if (origin !== "${origin}" || data?.type !== "footfall:height") return;
  document.getElementById("footfall").style.height = data.height + "px";
});
</script>`;
}
