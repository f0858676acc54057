/** Extensions of files that are no pages. */
const ASSETS: ReadonlySet<string> = new Set(
	[
		"css js mjs cjs map json jsonld xml txt rss atom ico png jpg jpeg gif svg webp avif bmp tif tiff cur heic",
		"woff woff2 ttf otf eot mp3 mp4 m4a m4v webm ogg oga ogv wav flac mov avi mkv m3u8 ts vtt srt",
		"pdf zip gz tgz bz2 xz 7z rar tar dmg pkg exe msi apk deb rpm iso bin wasm webmanifest manifest",
		"csv xls xlsx doc docx ppt pptx odt ods odp epub ics sql bak log env yml yaml ini swf appcache",
	].flatMap((line) => line.split(" ")),
);

/** True for the path of a page: neither a file of another kind nor what programs ask for. */
export function isPagePath(target: string): boolean {
	const query = target.indexOf("?");
	const end = query < 0 ? target.length : query;
	const slash = target.lastIndexOf("/", end - 1);
	const dot = target.lastIndexOf(".", end - 1);
	if (target.startsWith("/.well-known/") || target.startsWith("/cdn-cgi/")) return false;
	return dot < slash || dot < 0 || !ASSETS.has(target.slice(dot + 1, end).toLowerCase());
}

/** True for an answer that showed a page. */
export const isShown = (status: number): boolean => (status >= 200 && status < 300) || status === 304;
