// Programs that read what deploy/ holds say whether they take it. Without them the tests are skipped; `.ci/run` installs them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { freePort } from "../../packages/server/test/support/free-port.ts";
import { temporaryFolder } from "../../packages/server/test/support/temporary-folder.ts";
import { root } from "../lib/root.ts";

const deploy = join(root, "deploy");
const folder = temporaryFolder();
const env = {
	...process.env,
	HOME: folder,
	PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
	STATS_HOST: "stats.example.com",
};

/** A reason to skip when one of the programs is missing. */
function without(...programs: readonly string[]): string | false {
	const missing = programs.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`], { env }).status !== 0);
	return missing.length > 0 ? `needs ${missing.join(" and ")}` : false;
}

function run(program: string, ...args: readonly string[]): string {
	const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, env, encoding: "utf8" });
	assert.equal(status, 0, `${program}: ${stdout}${stderr}${error?.message ?? ""}`);
	return stdout + stderr;
}

/** A copy of a file with a certificate that is there, and other ports where a check listens. */
function copyOf(file: string, changes: readonly (readonly [string | RegExp, string])[]): string {
	const path = join(folder, file.replaceAll("/", "-"));
	let text = readFileSync(join(deploy, file), "utf8");
	for (const [from, to] of changes) {
		assert.ok(typeof from === "string" ? text.includes(from) : from.test(text), `${file} has no ${from}`);
		text = text.replaceAll(from, to);
	}
	writeFileSync(path, text);
	return path;
}

const certificate = join(folder, "certificate.pem");
const key = join(folder, "key.pem");
const letsEncrypt = "/etc/letsencrypt/live/stats.example.com/";
const inPlace = [
	[`${letsEncrypt}fullchain.pem`, certificate],
	[`${letsEncrypt}privkey.pem`, key],
] as const;

before(() => {
	if (without("openssl") !== false) return;
	const about = ["-subj", "/CN=stats.example.com", "-days", "2", "-nodes", "-newkey", "rsa:2048"];
	run("openssl", "req", "-x509", ...about, "-keyout", key, "-out", certificate);
});

test("nginx takes its file", { skip: without("nginx", "openssl") }, async () => {
	const site = copyOf("proxies/nginx.conf", [
		...inPlace,
		["listen 443 ssl", `listen 127.0.0.1:${await freePort()} ssl`],
		// A directive of its own since 1.25; before, a word of the line above.
		[/^\thttp2 on;$/gm, ""],
	]);
	const own = `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp { include ${site}; }\n`;
	writeFileSync(join(folder, "nginx-main.conf"), own);
	assert.match(run("nginx", "-t", "-p", folder, "-c", join(folder, "nginx-main.conf")), /test is successful/);
});

for (const file of ["Caddyfile", "cluster/Caddyfile", "proxies/Caddyfile"]) {
	test(`Caddy takes ${file}`, { skip: without("caddy") }, () => {
		assert.match(run("caddy", "validate", "--adapter", "caddyfile", "--config", join(deploy, file)), /Valid/);
	});
}

test("HAProxy takes its file", { skip: without("haproxy", "openssl") }, () => {
	const both = join(folder, "both.pem");
	writeFileSync(both, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
	run("haproxy", "-c", "-f", copyOf("proxies/haproxy.cfg", [["/etc/haproxy/stats.example.com.pem", both]]));
});

test("Apache takes its file", { skip: without("apache2", "openssl") }, () => {
	const site = copyOf("proxies/apache.conf", inPlace);
	const modules = ["mpm_event", "authz_core", "ssl", "socache_shmcb", "http2", "proxy", "proxy_http", "headers"];
	const loaded = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
	const main = [...loaded, `ServerRoot ${folder}`, "ServerName stats.example.com", `ErrorLog ${folder}/apache.log`];
	writeFileSync(join(folder, "apache.conf"), `${main.join("\n")}\nInclude ${site}\n`);
	assert.match(run("apache2", "-t", "-f", join(folder, "apache.conf")), /Syntax OK/);
});

test("systemd takes the unit, and finds the service little exposed", { skip: without("systemd-analyze") }, () => {
	const named = copyOf("footfall.service", [["/opt/footfall/footfall", process.execPath]]);
	run("systemd-analyze", "verify", "--man=no", named);
	// 10 is a service with all rights; without a bound `threshold` nothing would fail.
	run("systemd-analyze", "security", "--offline=true", "--threshold=20", named);
});

test("kubectl builds the manifests", { skip: without("kubectl") }, () => {
	const copy = join(folder, "deploy");
	cpSync(deploy, copy, { recursive: true });
	cpSync(join(copy, "cluster/footfall.env"), join(copy, "kubernetes/footfall.secret.env"));
	const built = run("kubectl", "kustomize", join(copy, "kubernetes"));
	const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	assert.equal(built.split(`image: registry.example.com/footfall:${version}\n`).length, 4);
	assert.match(built, /^kind: Secret$/m);
	assert.ok(existsSync(join(copy, "kubernetes/network.yaml")));
});
