// Imports go down only: main, cli -> composition -> features -> access, analytics -> platform -> platform/lib.
// docs/architecture.md says why; scripts/import-rules.test.ts shows that these rules catch what they forbid.
const src = "^packages/server/src/";
const tests = "\\.test\\.ts$|^packages/server/src/.*/testing/";

/** Nothing under `from` may import what lies under `to`. */
const layer = (name, from, to, except) => ({
	name,
	severity: "error",
	from: { path: src + from, pathNot: tests },
	to: { path: src + to, ...(except && { pathNot: src + except }) },
});

/** A wing of features may import the wings in `allowed` and itself, no other. */
const wing = (name, allowed) =>
	layer(`wing-${name}`, `features/${name}/`, "features/", `features/(${[name, ...allowed].join("|")})/`);

const dashboard = "^packages/dashboard/src/";

/** In the dashboard what lies under `from` may import only what lies under `to`, packages, and what the client knows of the API. */
const screens = (name, from, to) => ({
	name,
	severity: "error",
	from: { path: dashboard + from, pathNot: "\\.test\\.ts$" },
	to: { path: "^packages/", pathNot: [dashboard + to, "^packages/client/src/routes\\.generated\\.ts$"] },
});

/** A package that one part of the server alone may know. */
const owned = (name, packages, owner) => ({
	name,
	severity: "error",
	from: { path: src, pathNot: [src + owner, tests] },
	to: { path: packages },
});

export default {
	forbidden: [
		{ name: "no-circular", severity: "error", from: {}, to: { circular: true } },
		{ name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
		{
			name: "no-dev-dependency-at-run-time",
			severity: "error",
			from: { path: src, pathNot: tests },
			to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
		},
		{
			name: "no-test-code-at-run-time",
			severity: "error",
			from: { path: src, pathNot: tests },
			to: { path: ["\\.test\\.ts$", "^packages/server/test/", "^bench/", "^scripts/"] },
		},

		layer("lib-is-the-bottom", "platform/lib/", "", "platform/lib/"),
		{
			name: "lib-needs-node-only",
			severity: "error",
			from: { path: `${src}platform/lib/`, pathNot: tests },
			to: { path: "node_modules/" },
		},
		layer("platform-knows-no-product", "platform/", "", "platform/"),
		{
			name: "platform-knows-no-tables",
			severity: "error",
			from: { path: `${src}platform/`, pathNot: tests },
			to: { path: "^packages/server/migrations/" },
		},
		{
			name: "tables-know-platform-only",
			severity: "error",
			from: { path: "^packages/server/migrations/metadata/", pathNot: tests },
			to: { path: src, pathNot: `${src}platform/` },
		},
		{
			name: "sql-lives-in-stores",
			severity: "error",
			from: { path: `${src}(features|access)/`, pathNot: ["store\\.ts$", tests] },
			to: { path: "^packages/server/migrations/metadata/tables/", dependencyTypesNot: ["type-only"] },
		},
		layer("analytics-knows-no-features", "analytics/", "((features|access|composition|cli)/|[^/]+\\.ts$)"),
		layer("analytics-knows-no-http", "analytics/", "platform/http/"),
		layer("stores-know-no-http", "platform/(errors|event-store|metadata)/", "platform/http/"),
		layer("query-asks-before-it-runs", "analytics/query/question/", "analytics/query/(engine|reports|files)/"),
		layer("engine-knows-no-report", "analytics/query/engine/", "analytics/query/(reports|files)/"),
		layer("access-knows-no-features", "access/", "((features|analytics|composition|cli)/|[^/]+\\.ts$)"),
		layer("features-know-no-composition", "features/", "(composition/|cli/|[^/]+\\.ts$)"),
		layer("composition-is-below-commands", "composition/", "(cli/|[^/]+\\.ts$)"),

		wing("auditing", []),
		wing("people", ["auditing"]),
		wing("tenancy", ["people", "auditing"]),
		wing("collecting", ["tenancy", "people", "auditing"]),
		wing("reporting", ["tenancy", "people", "auditing"]),
		wing("delivering", ["tenancy", "people", "auditing"]),
		wing("connecting", ["reporting", "tenancy", "people", "auditing"]),
		wing("operating", ["auditing"]),
		{
			name: "slices-meet-at-their-door",
			severity: "error",
			from: { path: `${src}features/([^/]+/[^/]+)/`, pathNot: tests },
			to: {
				path: `${src}features/[^/]+/[^/]+/`,
				pathNot: [`${src}features/$1/`, `${src}features/[^/]+/[^/]+/index\\.ts$`],
			},
		},
		{
			name: "slices-are-entered-by-their-door",
			severity: "error",
			from: { path: src, pathNot: [`${src}features/`, tests] },
			to: { path: `${src}features/`, pathNot: `${src}features/[^/]+/[^/]+/index\\.ts$` },
		},

		screens("dashboard-lib-is-the-bottom", "lib/", "lib/"),
		screens("dashboard-ui-knows-no-api", "ui/", "(ui|lib)/"),
		screens("dashboard-api-knows-no-screens", "api/", "(api|lib)/"),
		screens("dashboard-features-know-no-routes", "features/", "(features|api|ui|lib)/"),
		{
			name: "dashboard-features-meet-at-their-door",
			severity: "error",
			from: { path: `${dashboard}features/([^/]+)/`, pathNot: "\\.test\\.ts$" },
			to: {
				path: `${dashboard}features/[^/]+/`,
				pathNot: [`${dashboard}features/$1/`, `${dashboard}features/[^/]+/index\\.ts$`],
			},
		},

		owned("chdb-lives-in-the-store-child", "node_modules/chdb/", "platform/event-store/embedded/"),
		owned(
			"metadata-drivers-have-one-user",
			["node_modules/pg/", "^node:sqlite$"],
			"platform/(metadata/|files/kernel-lock\\.ts)",
		),
		owned("nodemailer-has-one-user", "node_modules/nodemailer/", "platform/outbound/mail/"),
		owned("aws4fetch-has-one-user", "node_modules/aws4fetch/", "platform/files/"),
		owned("mcp-library-has-one-user", "node_modules/@modelcontextprotocol/", "features/connecting/mcp/"),
		owned("stripe-has-one-user", "node_modules/stripe/", "features/tenancy/billing/provider/"),
		owned("opentelemetry-has-one-user", "node_modules/@opentelemetry/", "platform/tracing/"),
		owned("certificate-requests-have-one-writer", "node_modules/@peculiar/", "platform/tls/acme/"),
		owned("croner-has-one-user", "node_modules/croner/", "platform/jobs/"),
		owned(
			"fastify-is-known-to-routes",
			"node_modules/fastify/",
			"(platform/http/|access/|composition/|features/.*/([a-z-]*routes|cookies|index)\\.ts)",
		),
	],
	options: {
		parser: "swc",
		tsPreCompilationDeps: true,
		doNotFollow: { path: "node_modules" },
		exclude: { path: "/dist/" },
		moduleSystems: ["es6"],
		enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
	},
};
