import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { classes } from "../../lib/classes.ts";
import { asFailure, type Failure } from "../../lib/failure.ts";
import { time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Check, Field, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { pageOf } from "../../ui/pager/pager.tsx";
import { Pick } from "../../ui/pick/pick.tsx";
import { NeedsRole, PlanLock, usePlanHas } from "../settings/index.ts";
import { meQuery, PageFoot, ScreenHead, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { PatternsCard } from "./patterns-card.tsx";
import { t } from "./texts.ts";
import {
	currentQuery,
	pageSize,
	type Settings,
	settingsQuery,
	usePatterns,
	useSettings,
	visitsQuery,
} from "./use-allowlist.ts";

/** From which addresses a site may be opened. Admins alone see it. */
export function AllowlistScreen() {
	const site = useSite();
	const isAdmin = may("PUT /ip-allowlist/settings", site.role);
	return (
		<>
			<ScreenHead title={t.title} />
			<p className="intro">{t.intro}</p>
			<PlanLock feature="ip_allowlist" />
			{isAdmin ? (
				<>
					<RuleCard />
					<PatternsCard />
					<TesterCard />
					<VisitsCard />
				</>
			) : (
				<NeedsRole least="admin" />
			)}
		</>
	);
}

type Outcome = Answer<"POST /ip-allowlist/check">;

/** Asks the list about any address. */
function TesterCard() {
	const site = useSite();
	const [outcome, setOutcome] = useState<Outcome>();
	const form = useForm(async (values) => {
		setOutcome(undefined);
		setOutcome(
			await call("POST /ip-allowlist/check", {
				query: { account_id: site.id },
				body: { ip_address: textOf(values, "ip_address").trim() },
			}),
		);
	});
	return (
		<Card title={t.tester}>
			<Form form={form} className="stack-16" intro={<p className="muted">{t.testerHint}</p>}>
				<div className={styles.row}>
					<Field label={t.address} name="ip_address" required maxLength={64} {...verbatim} />
					<Submit look="plain">{t.try}</Submit>
				</div>
				<div role="status" className={styles.status}>
					{outcome && (
						<p className={classes(styles.own, outcome.is_allowed ? styles.good : styles.warn)}>{wordsOf(outcome)}</p>
					)}
				</div>
			</Form>
		</Card>
	);
}

function wordsOf({ ip_address: address, is_allowed: isAllowed, matched_pattern: pattern }: Outcome): string {
	if (pattern !== null) return t.allowed(address, pattern.label ?? pattern.pattern);
	return isAllowed ? t.open(address) : t.denied(address);
}

type Visit = Answer<"GET /ip-allowlist/audit">["attempts"][number];

const columns: readonly Column<Visit>[] = [
	{ key: "when", label: t.when, cell: ({ created_at: at }) => time(at) },
	{
		key: "outcome",
		label: t.outcome,
		cell: ({ access_granted: isGranted }) => (
			<State text={isGranted ? t.granted : t.refused} tone={isGranted ? "good" : "bad"} />
		),
	},
	{ key: "from", label: t.from, cell: ({ ip_address: address }) => address },
	{ key: "who", label: t.who, cell: ({ user_email: email }) => email ?? "–" },
	{ key: "how", label: t.how, cell: ({ auth_type: type }) => t.hows[type] },
	{ key: "by", label: t.by, cell: ({ matched_pattern: pattern }) => pattern ?? "–" },
];

/** Recent requests by address, with the decision of the list. */
function VisitsCard() {
	const site = useSite();
	const [isDenied, setDenied] = useState(false);
	const { page: shown } = useSiteSearch();
	const change = useChangeSearch();
	const page = pageOf(shown);
	const query = useQuery({ ...visitsQuery(site.id, { isDenied, page }), placeholderData: keepPreviousData });
	return (
		<Card
			title={t.visits}
			actions={
				<Pick
					checked={isDenied}
					onPick={(isOn) => {
						setDenied(isOn);
						change({ page: undefined });
					}}
				>
					{t.deniedOnly}
				</Pick>
			}
		>
			<p className="muted">{t.visitsHint}</p>
			<Loaded
				query={query}
				isEmpty={({ attempts }) => attempts.length === 0}
				empty={<p>{isDenied ? t.noDenied : t.noVisits}</p>}
			>
				{({ attempts, total, denied_count: denied }) => (
					<>
						<DataTable label={t.visits} columns={columns} rows={attempts} rowKey={({ id }) => String(id)} />
						<PageFoot page={page} pageSize={pageSize} total={isDenied ? denied : total} />
					</>
				)}
			</Loaded>
		</Card>
	);
}

/** Whether the allowlist is enabled, and its effect on the user. */
function RuleCard() {
	const site = useSite();
	const settings = useQuery(settingsQuery(site.id));
	const state = settings.data?.is_enabled;
	return (
		<Card
			title={t.rule}
			actions={state !== undefined && <State text={state ? t.isOn : t.isOff} tone={state ? "good" : "muted"} />}
		>
			<div className="stack-16">
				<OwnAddress />
				<Loaded query={settings}>{(data) => <Switches settings={data} />}</Loaded>
			</div>
		</Card>
	);
}

/** The user's own address is shown beside the switch, so that users do not lock themselves out. */
function OwnAddress() {
	const site = useSite();
	const current = useQuery(currentQuery(site.id));
	const { data: me } = useQuery(meQuery);
	const { add } = usePatterns(site.id);
	const isInPlan = usePlanHas("ip_allowlist");
	const uncovered = me?.role === "superadmin" ? t.superadmin : t.uncovered;
	return (
		<Loaded query={current}>
			{({ ip_address: address, matched_pattern: pattern }) => (
				<div className={classes(styles.own, pattern === null ? styles.warn : styles.good)} role="status">
					<p>
						{t.you(address)} {pattern === null ? uncovered : t.covered(pattern.pattern)}
					</p>
					{pattern === null && isInPlan && (
						<Button
							small
							disabled={add.isBusy}
							onClick={() => add.run({ pattern: address, pattern_type: "ip", label: t.mine })}
						>
							{t.addMine}
						</Button>
					)}
				</div>
			)}
		</Loaded>
	);
}

const rules = [
	["enforce_for_dashboard", t.sessions],
	["enforce_for_api_tokens", t.keys],
] as const;

function Switches({ settings }: { readonly settings: Settings }) {
	const site = useSite();
	const change = useSettings(site.id);
	const isInPlan = usePlanHas("ip_allowlist");
	const [failure, setFailure] = useState<Failure>();
	const set = async (part: Partial<Settings>) => {
		const { is_enabled, enforce_for_dashboard, enforce_for_api_tokens } = settings;
		setFailure(undefined);
		try {
			const to = { is_enabled, enforce_for_dashboard, enforce_for_api_tokens, ...part };
			await change.mutateAsync({ to, before: settings });
		} catch (error) {
			setFailure(asFailure(error));
		}
	};
	// Every plan may disable the list or loosen it.
	const isLocked = (isOn: boolean) => change.isBusy || (!isInPlan && !isOn);
	return (
		<div className={styles.switches}>
			<Check
				label={t.on}
				checked={settings.is_enabled}
				disabled={isLocked(settings.is_enabled)}
				onChange={(event) => void set({ is_enabled: event.target.checked })}
				error={failure && (failure.code === "conflict" ? t.shutOut : failureText(failure))}
			/>
			{rules.map(([name, label]) => (
				<Check
					key={name}
					label={label}
					checked={settings[name]}
					disabled={isLocked(settings[name])}
					onChange={(event) => void set({ [name]: event.target.checked })}
				/>
			))}
		</div>
	);
}
