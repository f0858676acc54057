import { isIP } from "node:net";
import { connect } from "node:tls";
import { probeKey } from "../../composition/health.ts";
import { diagnoseProxy } from "../../features/operating/system/index.ts";
import { makeProbe, PROBE_HEADER, readProbeAnswer } from "../../platform/lib/probe.ts";
import { askService } from "../ask-service.ts";
import { codeOf, type Examine, type Finding, findingOf, findingsOf } from "./finding.ts";

const DAY_MS = 86_400_000;
const WARNING_DAYS = 14;
const FAULT_DAYS = 3;
const HTTPS_PORT = "443";

const address = findingsOf("public address");
const certificate = findingsOf("certificate");

/** The address that browsers use: that it leads to this service, through which proxy, and with which certificate. */
export const examinePublicUrl: Examine = async ({ config, service, clock, answerMs }) => {
	const { publicUrl, secretKey } = config;
	if (publicUrl === undefined) return [];
	const shown = publicUrl.startsWith("https:")
		? await examineCertificate(new URL(publicUrl), clock.now(), answerMs)
		: [];
	if (service === undefined || secretKey === undefined) return shown;
	return [...shown, ...(await probe(publicUrl, probeKey(secretKey), answerMs))];
};

async function probe(publicUrl: string, key: Uint8Array, timeoutMs: number): Promise<Finding[]> {
	const asked = makeProbe(key);
	try {
		const { status, headers } = await askService(`${publicUrl}/livez`, {
			headers: { [PROBE_HEADER]: asked },
			timeoutMs,
			isPublic: true,
		});
		const facts = readProbeAnswer(key, asked, headers[PROBE_HEADER]);
		if (facts !== undefined) return [findingOf("public address", diagnoseProxy(facts, publicUrl.startsWith("https:")))];
		const fix = "Correct PUBLIC_URL, its DNS record, or the upstream of the proxy";
		return [address.fault(`PUBLIC_URL is answered by another service (status ${status})`, fix)];
	} catch (error) {
		const fix =
			"Correct PUBLIC_URL or the proxy; if the name is not reachable from inside your network, test from outside";
		return [address.fault(`PUBLIC_URL does not answer (${codeOf(error)})`, fix)];
	}
}

async function examineCertificate(url: URL, now: number, timeoutMs: number): Promise<Finding[]> {
	const endsAt = await certificateEnd(url, timeoutMs).catch(() => undefined);
	if (endsAt === undefined) return [];
	const days = Math.floor((endsAt - now) / DAY_MS);
	const message = days < 0 ? `The certificate expired ${-days} days ago` : `The certificate expires in ${days} days`;
	const fix = "Renew it, or check the log for the error (docs/operations.md, HTTPS)";
	if (days < FAULT_DAYS) return [certificate.fault(message, fix)];
	return [days < WARNING_DAYS ? certificate.warning(message, fix) : certificate.ok(message)];
}

/** When the certificate that is shown ends, whether it is valid or not. */
function certificateEnd({ hostname, port }: URL, timeoutMs: number): Promise<number> {
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	const host = hostname.replace(/^\[|\]$/g, "");
	const socket = connect({
		host,
		port: Number(port || HTTPS_PORT),
		rejectUnauthorized: false,
		...(isIP(host) === 0 && { servername: host }),
	});
	socket.setTimeout(timeoutMs, () => socket.destroy(new Error("timeout")));
	socket.once("error", reject);
	socket.once("secureConnect", () => {
		resolve(Date.parse(socket.getPeerCertificate().valid_to));
		socket.destroy();
	});
	return promise;
}
