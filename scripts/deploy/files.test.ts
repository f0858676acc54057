// Files in deploy/ are consistent with the service and each other. Programs that read such files check them too, where
// they are installed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { variables } from "../../packages/server/src/platform/config/variables.ts";
import { root } from "../lib/root.ts";

const deploy = join(root, "deploy");
const read = (file: string) => readFileSync(join(deploy, file), "utf8");
const settings: ReadonlySet<string> = new Set(Object.keys(variables));
/** Routes of each role beside health; docs/operations.md has the table. */
const collected = ["/event", "/t.js"];

type Service = ReturnType<typeof JSON.parse>;
const compose = (file: string): Readonly<Record<"services" | "volumes", Readonly<Record<string, Service>>>> =>
	parse(read(file), { merge: true });
const isOurs = ({ image = "" }: Service) => image.startsWith("footfall:");

const namesIn = (env: string) => [...env.matchAll(/^([A-Z_\d]+)=/gm)].map(([, name = ""]) => name);

/** Manifests of the cluster, as their programs read them. */
const manifests = readdirSync(join(deploy, "kubernetes"))
	.filter((name) => name !== "kustomization.yaml")
	.flatMap((name) => parseAllDocuments(read(`kubernetes/${name}`)).map((document) => document.toJS()));
const ofKind = (...kinds: readonly string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
const workloads = ofKind("Deployment", "StatefulSet");
/** The one container of a workload's pods. */
const containerOf = (workload: (typeof workloads)[number]) => workload.spec.template.spec.containers[0];
const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

test("the cluster's ClickHouse bounds each log of itself", () => {
	const { volumes = [] } = compose("cluster/compose.yaml").services["clickhouse"] ?? {};
	assert.ok(volumes.includes("./clickhouse.xml:/etc/clickhouse-server/config.d/footfall.xml:ro"));
	const text = read("cluster/clickhouse.xml");
	const kept = [...text.matchAll(/<(\w+_log)>\s*<ttl>event_date \+ INTERVAL \d+ DAY<\/ttl>\s*<\/\1>/g)].map(
		([, name]) => name,
	);
	const removed = [...text.matchAll(/<(\w+_log) remove="1"\/>/g)].map(([, name]) => name);
	assert.equal(kept.length + removed.length, text.match(/<\w+_log\b/g)?.length);
	for (const name of ["query_log", "part_log"]) assert.ok(kept.includes(name), name);
	for (const name of ["trace_log", "text_log", "metric_log", "asynchronous_metric_log"])
		assert.ok(removed.includes(name), name);
});

test("every setting that the files name is one that the service knows", () => {
	const composed = ["compose.yaml", "cluster/compose.yaml"].flatMap((file) =>
		Object.values(compose(file).services)
			.filter(isOurs)
			.flatMap(({ environment = {} }) => Object.keys(environment)),
	);
	const ofImage = [...read("Dockerfile").matchAll(/\b([A-Z_\d]+)=/g)]
		.map(([, name = ""]) => name)
		.filter((name) => !["PATH", "BUILD_IMAGE", "BASE_IMAGE"].includes(name));
	const inPods = workloads.flatMap((workload) => namesOf(containerOf(workload).env));
	const inFiles = ["footfall.env", "cluster/footfall.env"].flatMap((file) => namesIn(read(file)));
	// Settings that comments of a proxy configuration ask for.
	const told = readdirSync(join(deploy, "proxies")).flatMap((name) =>
		[...read(`proxies/${name}`).matchAll(/\b([A-Z_]+)=/g)].map(([, found = ""]) => found),
	);
	for (const group of [composed, ofImage, inPods, inFiles, told]) assert.ok(group.length > 0);
	const all = [...composed, ...ofImage, ...inPods, ...inFiles, ...told];
	assert.deepEqual(
		all.filter((name) => !settings.has(name)),
		[],
	);
});

for (const file of ["compose.yaml", "cluster/compose.yaml"]) {
	test(`${file} names no service and no volume that it does not have`, () => {
		const { services, volumes } = compose(file);
		const named = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
			mounts.map((mount: string) => mount.split(":", 1)[0] ?? "").filter((name: string) => !name.startsWith(".")),
		);
		assert.deepEqual([...new Set(named)].sort(), Object.keys(volumes).sort());
		for (const { depends_on = [] } of Object.values(services)) {
			for (const name of depends_on) assert.ok(name in services, name);
		}
	});
}

test("a cluster has every role, each collector a volume of its own, and all processes the settings that they share", () => {
	const { services } = compose("cluster/compose.yaml");
	const ours = Object.values(services).filter(isOurs);
	const roles = ours.map(({ environment }) => environment?.ROLES);
	assert.deepEqual(roles.sort(), ["api", "collect", "collect", "jobs"]);
	const volumes = ours.flatMap(({ volumes: mounts = [] }) =>
		mounts.filter((mount: string) => mount.endsWith(":/data")),
	);
	assert.deepEqual([volumes.length, new Set(volumes).size], [4, 4]);
	for (const { env_file } of ours) assert.equal(env_file, "footfall.secret.env");
	const shared = namesIn(read("cluster/footfall.env"));
	for (const name of ["DATABASE_URL", "CLICKHOUSE_URL", "REDIS_URL", "S3_URL", "SECRET_KEY"]) {
		assert.ok(shared.includes(name), name);
	}
	const proxied = [...read("cluster/Caddyfile").matchAll(/\b([a-z\d-]+):3000/g)].map(([, name = ""]) => name);
	for (const name of proxied) assert.ok(isOurs(services[name] ?? {}), name);
	assert.ok(read("cluster/Caddyfile").includes(`path ${collected.join(" ")}\n`));
});

test("on Kubernetes every role runs without rights, is reached where it listens, and hits go to the collectors", () => {
	const roleOf = (workload: (typeof workloads)[number]) => containerOf(workload).env[0]?.value;
	assert.deepEqual(workloads.map(roleOf).sort(), ["api", "collect", "jobs"]);
	for (const workload of workloads) {
		const { metadata, spec } = workload;
		const pod = spec.template.spec;
		const container = containerOf(workload);
		assert.equal(pod.securityContext.runAsNonRoot, true);
		assert.equal(container.securityContext.readOnlyRootFilesystem, true);
		assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels, metadata.name);
		for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
			assert.match(container[probe].httpGet.path, /^\/(livez|readyz)$/);
			assert.equal(container[probe].httpGet.port, container.ports[0]?.name);
		}
		const claims = (spec.volumeClaimTemplates ?? []).map(
			({ metadata: { name } }: { metadata: { name: string } }) => name,
		);
		assert.deepEqual(namesOf(container.volumeMounts).sort(), [...namesOf(pod.volumes), ...claims].sort());
	}
	const collector = workloads.find((workload) => roleOf(workload) === "collect");
	assert.deepEqual([collector?.kind, collector?.spec.volumeClaimTemplates?.length], ["StatefulSet", 1]);
	const selectors = [
		...ofKind("Service").map(({ spec }) => spec.selector),
		...ofKind("PodDisruptionBudget").map(({ spec }) => spec.selector.matchLabels),
	];
	assert.equal(selectors.length, 4);
	for (const wanted of selectors) {
		assert.ok(workloads.some(({ spec }) => JSON.stringify(spec.template.metadata.labels) === JSON.stringify(wanted)));
	}
	const services = namesOf(ofKind("Service").map(({ metadata }) => metadata));
	const paths: readonly { path: string; backend: { service: { name: string } } }[] =
		ofKind("Ingress")[0].spec.rules[0].http.paths;
	const routes = paths.map(({ path, backend }) => [path, backend.service.name] as const);
	assert.deepEqual(routes, [...collected.map((path) => [path, "collect"]), ["/", "api"]]);
	for (const [, name] of routes) assert.ok(services.includes(name), name);
});

test("the kustomization names every file beside it", () => {
	const { resources } = parse(read("kubernetes/kustomization.yaml"));
	const files = readdirSync(join(deploy, "kubernetes")).filter((name) => name !== "kustomization.yaml");
	assert.deepEqual([...resources].sort(), files.sort());
});

test("the image runs as nobody in particular, what it copies is there, and it is asked how it is", () => {
	const text = read("Dockerfile");
	assert.match(text, /^USER 10001$/m);
	assert.match(text, /^HEALTHCHECK .*\n.*\/readyz/m);
	assert.ok(text.indexOf("USER 10001") < text.indexOf("CMD"));
	const ignored = read("Dockerfile.dockerignore").split("\n");
	for (const needed of ["packages", "scripts", "package-lock.json", "docs/decisions"]) {
		assert.ok(!ignored.includes(needed), needed);
	}
	assert.ok(ignored.includes(".git") && ignored.includes("**/node_modules") && ignored.includes("data"));
});
