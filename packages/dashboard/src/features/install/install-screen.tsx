import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, LoaderCircle, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { classes } from "../../lib/classes.ts";
import { asFailure } from "../../lib/failure.ts";
import { ago } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Failed } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { Problem } from "../../ui/page/form-page.tsx";
import { Steps } from "../../ui/page/steps.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { ScreenHead, type Site, sitesQuery, useSite, useSiteSearch } from "../site/index.ts";
import { type Cause, type Diagnosis, diagnose } from "./diagnosis.ts";
import styles from "./install.module.css";
import { SnippetCard } from "./snippet-card.tsx";
import { t } from "./texts.ts";

const windowMinutes = 15;
/** How often is looked while something is awaited, and once it works. */
const everyMs = { waiting: 2_500, working: 10_000 };

/** State of a site's installation. */
interface Doctor {
	readonly diagnosis: Diagnosis | undefined;
	readonly lastHitAt: string | null;
	/** False where hits are collected by another process, so that refusals are not known here. */
	readonly knowsCauses: boolean;
	readonly failure: Error | null;
	readonly again: () => void;
}

/** Looks at what arrives at a site, again and again while the page is seen. */
function useDoctor({ id, domains }: Pick<Site, "id" | "domains">): Doctor {
	const { data, error, refetch } = useQuery({
		queryKey: ["doctor", id],
		queryFn: ({ signal }) => look(id, signal),
		refetchInterval: ({ state }) =>
			state.data !== undefined && state.data.rejections.accepted > 0 ? everyMs.working : everyMs.waiting,
	});
	return {
		diagnosis: data && diagnose(data.status, data.rejections, { domains, now: Date.now() }),
		lastHitAt: data?.status.last_hit_at ?? null,
		knowsCauses: data?.rejections.available ?? true,
		failure: data === undefined ? error : null,
		again: () => void refetch(),
	};
}

async function look(id: string, signal: AbortSignal) {
	const path = { id };
	const [status, rejections] = await Promise.all([
		call("GET /sites/{id}/pixel/status", { path, signal }),
		call("GET /sites/{id}/pixel/rejections", { path, query: { minutes: windowMinutes }, signal }),
	]);
	return { status, rejections };
}

/** Changes of the domains whose hits count for a site. */
function useDomains(id: string) {
	const queries = useQueryClient();
	const onSuccess = () => queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
	const add = useMutation({
		mutationFn: (domain: string) => call("POST /sites/{id}/domains", { path: { id }, body: { domain } }),
		onSuccess,
	});
	const remove = useMutation({
		mutationFn: (domain: string) => call("DELETE /sites/{id}/domains", { path: { id }, query: { domain } }),
		onSuccess,
	});
	return { add, remove };
}

/** The snippet of a site, and whether it works. A new site comes here from its first step. */
export function InstallScreen() {
	const site = useSite();
	const { view } = useSiteSearch();
	const doctor = useDoctor(site);
	const isWorking = doctor.diagnosis?.accepted ?? false;
	return (
		<div className="stack-16">
			<ScreenHead title={t.title} />
			{view.includes("new") && <Steps names={t.steps} current={isWorking ? 3 : 1} />}
			<div className={styles.columns}>
				<div className={styles.column}>
					<SnippetCard site={site} />
					<DomainsCard site={site} />
				</div>
				<div className={styles.column}>
					<DoctorCard site={site} doctor={doctor} />
					{may("POST /sites/{id}/pixel/check", site.role) && <PageCheckCard site={site} />}
				</div>
			</div>
		</div>
	);
}

type PageCheck = Answer<"POST /sites/{id}/pixel/check">;

/** The server opens a page of the site and tells whether the snippet stands in it, and may work there. */
function PageCheckCard({ site }: { readonly site: Site }) {
	const [found, setFound] = useState<PageCheck>();
	const form = useForm(async (values) => {
		setFound(undefined);
		const typed = textOf(values, "url");
		const url = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
		setFound(await call("POST /sites/{id}/pixel/check", { path: { id: site.id }, body: { url } }));
	});
	const [domain] = site.domains;
	return (
		<Card title={t.check}>
			<p className="muted">{t.checkHint}</p>
			<Form form={form} className={styles.add}>
				<div className={styles.row}>
					<Field
						label={t.url}
						name="url"
						inputMode="url"
						autoCapitalize="none"
						spellCheck={false}
						required
						defaultValue={domain === undefined ? "" : `https://${domain}/`}
					/>
					<Submit look="plain">{form.isBusy ? t.checking : t.checkNow}</Submit>
				</div>
			</Form>
			<div role="status">{found && <Verdict found={found} />}</div>
		</Card>
	);
}

function Verdict({ found }: { readonly found: PageCheck }) {
	const { verdict, csp } = found;
	return (
		<div className={classes(styles.found, verdict === "ok" ? styles.isGood : styles.isBad)}>
			<p>{t.verdicts[verdict](found)}</p>
			{verdict === "csp_blocks" && csp && (
				<ul className={styles.list}>
					{!csp.script_src_ok && <li>{t.needsScript}</li>}
					{!csp.connect_src_ok && <li>{t.needsConnect}</li>}
				</ul>
			)}
			{csp?.header && verdict === "csp_blocks" && <code>{csp.header}</code>}
		</div>
	);
}

/** From where hits are counted. */
function DomainsCard({ site }: { readonly site: Site }) {
	const { add, remove } = useDomains(site.id);
	const tell = (error: unknown) => toast(failureText(asFailure(error)));
	const takeAway = (domain: string) =>
		remove.mutate(domain, {
			onSuccess: () => toast(t.removed(domain), { label: t.undo, run: () => add.mutate(domain, { onError: tell }) }),
			onError: tell,
		});
	return (
		<Card title={t.domains}>
			<p className="muted">{site.domains.length > 0 ? t.domainsHint : t.anyDomain}</p>
			<ul className={styles.domains}>
				{site.domains.map((domain) => (
					<li key={domain}>
						<span title={domain}>{domain}</span>
						{may("DELETE /sites/{id}/domains", site.role) && (
							<Button look="quiet" icon small aria-label={t.remove(domain)} onClick={() => takeAway(domain)}>
								<X size={16} aria-hidden="true" />
							</Button>
						)}
					</li>
				))}
			</ul>
			{may("POST /sites/{id}/domains", site.role) && <NewDomain site={site} />}
		</Card>
	);
}

function NewDomain({ site }: { readonly site: Site }) {
	const { add } = useDomains(site.id);
	const field = useRef<HTMLFormElement>(null);
	const form = useForm(async (values) => {
		await add.mutateAsync(textOf(values, "domain"));
		field.current?.reset();
	});
	return (
		<Form form={form} ref={field} className={styles.add}>
			<div className={styles.row}>
				<Field label={t.newDomain} name="domain" placeholder="example.org" inputMode="url" {...verbatim} required />
				<Submit look="plain">{t.add}</Submit>
			</div>
		</Form>
	);
}

/** After so long somebody who waits may want to know what usually is in the way. */
const patienceMs = 20_000;

/** State of the installation, obstacles, and how to remove them. */
function DoctorCard({ site, doctor }: { readonly site: Site; readonly doctor: Doctor }) {
	const { diagnosis, failure, again, lastHitAt, knowsCauses } = doctor;
	if (failure !== null) {
		return (
			<Card title={t.doctor}>
				<Failed failure={asFailure(failure)} again={again} />
			</Card>
		);
	}
	const { script = false, received = false, accepted = false, causes = [] } = diagnosis ?? {};
	const isRefused = received && !accepted;
	return (
		<Card title={t.doctor}>
			<ol className={styles.path} aria-live="polite">
				<PathStep label={t.script} state={script ? "done" : "waiting"} />
				<PathStep label={t.received} state={received ? "done" : "waiting"} />
				<PathStep label={t.accepted} state={accepted ? "done" : isRefused ? "refused" : "waiting"} />
			</ol>
			<Causes site={site} causes={causes} />
			{accepted ? (
				<Working site={site} lastHitAt={lastHitAt} />
			) : (
				diagnosis && <Waiting diagnosis={diagnosis} lastHitAt={lastHitAt} knowsCauses={knowsCauses} />
			)}
		</Card>
	);
}

const icons = { done: Check, waiting: LoaderCircle, refused: X };

function PathStep({ label, state }: { readonly label: string; readonly state: keyof typeof icons }) {
	const Icon = icons[state];
	return (
		<li className={styles[state]}>
			<Icon size={20} aria-hidden="true" />
			{label}
			<span className="visually-hidden">: {t[state]}</span>
		</li>
	);
}

function Working({ site, lastHitAt }: { readonly site: Site; readonly lastHitAt: string | null }) {
	return (
		<div className={styles.verdict}>
			<p role="status">{t.working(lastHitAt === null ? "" : ago(lastHitAt))}</p>
			<p className={styles.row}>
				<Link to="/sites/$id" params={{ id: site.id }} className={buttonClass("primary")}>
					{t.toReport}
				</Link>
				<Link to="/sites/$id/live" params={{ id: site.id }} className={buttonClass()}>
					{t.toLive}
				</Link>
			</p>
		</div>
	);
}

interface WaitingProps {
	readonly diagnosis: Diagnosis;
	readonly lastHitAt: string | null;
	readonly knowsCauses: boolean;
}

function Waiting({ diagnosis, lastHitAt, knowsCauses }: WaitingProps) {
	const isLong = useLong();
	const { script, received } = diagnosis;
	return (
		<div className={styles.verdict}>
			{lastHitAt !== null && <p>{t.quiet(ago(lastHitAt))}</p>}
			{!received && <p>{t.wait}</p>}
			{!received && isLong && <p className="muted">{script ? t.silent : t.blocked}</p>}
			{!knowsCauses && <p className="muted">{t.elsewhere}</p>}
		</div>
	);
}

function useLong(): boolean {
	const [isLong, setIsLong] = useState(false);
	// A clock is outside of React.
	useEffect(() => {
		const timer = setTimeout(() => setIsLong(true), patienceMs);
		return () => clearTimeout(timer);
	}, []);
	return isLong;
}

/** Why hits are refused, with what helps. */
function Causes({ site, causes }: { readonly site: Site; readonly causes: readonly Cause[] }) {
	const { add } = useDomains(site.id);
	const { variables: host = "" } = add;
	return (
		<>
			{causes.length > 0 && (
				<ul className={styles.causes}>
					{causes.map((cause) => (
						<li key={cause.reason}>
							<strong>{(cause.isCounted ? t.counted : t.hits)(cause.count)}</strong>
							{cause.reason === "invalid_domain" ? (
								<WrongDomain site={site} hosts={cause.hosts} add={add} />
							) : (
								<p>{words(cause.reason)}</p>
							)}
						</li>
					))}
				</ul>
			)}
			<p role="status" className={styles.allowed}>
				{add.isSuccess && t.allowed(host)}
			</p>
			<Problem failure={add.error === null ? undefined : asFailure(add.error)} />
		</>
	);
}

const words = (reason: string): string =>
	(t.reasons as Readonly<Record<string, string>>)[reason] ?? t.otherReason(reason);

interface WrongDomainProps {
	readonly site: Site;
	readonly hosts: readonly string[];
	readonly add: ReturnType<typeof useDomains>["add"];
}

function WrongDomain({ site, hosts, add }: WrongDomainProps) {
	const mayAllow = may("POST /sites/{id}/domains", site.role);
	if (hosts.length === 0) return <p>{t.someDomain}</p>;
	return hosts.map((host) => (
		<div key={host} className={styles.cause}>
			<p>{t.domain(host)}</p>
			{mayAllow ? (
				<Button small look="primary" disabled={add.isPending} onClick={() => add.mutate(host)}>
					{t.allow(host)}
				</Button>
			) : (
				<p>{t.askAdmin}</p>
			)}
		</div>
	));
}
