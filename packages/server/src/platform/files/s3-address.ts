/** A bucket and its credentials. */
export interface S3Address {
	/** Of the bucket, with the prefix of every key; ends with a slash. */
	readonly base: string;
	readonly bucket: string;
	readonly region: string;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
}

const FORMS =
	"https://KEY:SECRET@host/bucket/prefix?region=… or s3://KEY:SECRET@bucket/prefix?region=…, key and secret percent-encoded";

const unreadable = () => new Error(`S3_URL must read ${FORMS}`);

/** Reads `S3_URL`. Throws, without quoting it, for an address without bucket or key. */
export function readS3Address(text: string): S3Address {
	const url = URL.parse(text);
	if (url === null) throw unreadable();
	const region = url.searchParams.get("region") ?? "us-east-1";
	const parts = url.pathname.split("/").filter((part) => part !== "");
	const [bucket, ...prefix] = url.protocol === "s3:" ? [url.hostname, ...parts] : parts;
	if (bucket === undefined || bucket === "" || url.username === "" || url.password === "") {
		throw unreadable();
	}
	const origin = url.protocol === "s3:" ? `https://s3.${region}.amazonaws.com` : `${url.protocol}//${url.host}`;
	return {
		bucket: `${origin}/${bucket}`,
		base: `${[origin, bucket, ...prefix].join("/")}/`,
		region,
		accessKeyId: decoded(url.username),
		secretAccessKey: decoded(url.password),
	};
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw unreadable();
	}
}
