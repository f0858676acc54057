import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useId, useState } from "react";
import { may } from "../../api/may.ts";
import { time } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { usePlanHas } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import { AttemptsLine } from "./attempts-line.tsx";
import { tones } from "./delivery-row.tsx";
import { t } from "./delivery-texts.ts";
import { AnswerCard, RequestCard } from "./exchange-cards.tsx";
import { type Attempt, type DeliveryName, deliveryQuery, endpointQuery, type WholeDelivery } from "./queries.ts";
import { ReplayButton } from "./replay-button.tsx";
import { sentBody } from "./sent-body.ts";
import { type SnippetLanguage, snippetLanguages, verifySnippet } from "./verify-snippets.ts";
import styles from "./webhooks.module.css";

/** One delivery: its attempts on a line, what was sent, what came back, and how to verify it. */
export function DeliveryScreen() {
	const site = useSite();
	const { endpoint, delivery } = useParams({ strict: false }) as { endpoint: string; delivery: string };
	const name: DeliveryName = { site: site.id, endpoint, delivery };
	const { data: target } = useQuery(endpointQuery(name));
	const query = useQuery(deliveryQuery(name));
	const isInPlan = usePlanHas("webhooks");
	const mayReplay = may("POST /webhooks/bulk/replay", site.role) && target?.is_active === true && isInPlan;
	const record = query.data?.record;
	return (
		<>
			<div className={styles.head}>
				<Link to="/sites/$id/settings/webhooks/$endpoint" params={{ id: site.id, endpoint }} className={styles.back}>
					<ChevronLeft size={16} aria-hidden="true" />
					{t.back(target?.name ?? "…")}
				</Link>
				<ScreenHead title={record?.event_type ?? t.delivery}>
					{record && mayReplay && <ReplayButton deliveries={[record]} label={t.replay} />}
				</ScreenHead>
			</div>
			<Loaded query={query}>
				{({ record: found, attempts }) => (
					<div className={styles.column}>
						<Card
							title={
								<div className={styles.named}>
									<h2>{t.line}</h2>
									<State text={t.statuses[found.status]} tone={tones[found.status]} />
								</div>
							}
							actions={<time dateTime={found.created_at}>{time(found.created_at)}</time>}
						>
							<AttemptsLine delivery={found} attempts={attempts} />
						</Card>
						<div className={styles.columns}>
							<RequestCard delivery={found} attempts={attempts} headers={target?.headers ?? {}} />
							<AnswerCard delivery={found} />
						</div>
						<VerifyCard delivery={found} attempts={attempts} url={target?.url ?? ""} />
					</div>
				)}
			</Loaded>
		</>
	);
}

interface VerifyCardProps {
	readonly delivery: WholeDelivery;
	readonly attempts: readonly Attempt[];
	readonly url: string;
}

/** A program that checks the signature of this delivery, to find out why a receiver refuses it. */
function VerifyCard({ delivery, attempts, url }: VerifyCardProps) {
	const panel = useId();
	const [language, setLanguage] = useState<SnippetLanguage>("node");
	const body = sentBody(delivery);
	const last = attempts.at(-1);
	if (last === undefined) return null;
	const timestamp = Math.floor(Date.parse(last.attempted_at) / 1000);
	return (
		<Card title={t.verify}>
			{body === undefined ? (
				<p className={styles.hint}>{t.noSnippet}</p>
			) : (
				<>
					<Tabs
						label={t.language}
						tabs={snippetLanguages.map((key) => ({ key, label: t.languages[key] }))}
						chosen={language}
						onChoose={setLanguage}
						panel={panel}
					/>
					<div id={panel} role="tabpanel" aria-label={t.languages[language]} className={styles.panel}>
						<p className={styles.hint}>{t.verifyHint[language]}</p>
						<Secret
							key={language}
							label={t.code}
							value={verifySnippet(language, { body, timestamp, url })}
							isShownOnce={false}
						/>
					</div>
				</>
			)}
		</Card>
	);
}
