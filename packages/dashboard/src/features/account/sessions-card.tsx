import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { ago, time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { deviceOf } from "./device-name.ts";
import { t } from "./security-texts.ts";

type Session = Answer<"GET /auth/sessions">["sessions"][number];

/** Where the reader is signed in; other places can be shut out. */
export function SessionsCard() {
	const query = useQuery(read("GET /auth/sessions"));
	const endOthers = useChange({
		run: () => call("DELETE /auth/sessions", { query: { include_current: false } }),
		stale: ["GET /auth/sessions"],
		done: ({ sessions_terminated: count }) => t.endedOthers(count),
	});
	const hasOthers = (query.data?.total ?? 0) > 1;
	return (
		<Card
			title={t.sessions}
			actions={
				hasOthers && (
					<Button small disabled={endOthers.isBusy} onClick={() => endOthers.run(undefined)}>
						{t.endOthers}
					</Button>
				)
			}
		>
			<Loaded query={query}>
				{({ sessions }) => (
					<Items label={t.sessions}>
						{[...sessions]
							.sort((one, other) => Number(other.is_current) - Number(one.is_current))
							.map((session) => (
								<SessionItem key={session.id} session={session} />
							))}
					</Items>
				)}
			</Loaded>
		</Card>
	);
}

function SessionItem({ session }: { readonly session: Session }) {
	const end = useChange({
		run: () => call("DELETE /auth/sessions/{session_id}", { path: { session_id: session.id } }),
		stale: ["GET /auth/sessions"],
		done: () => t.ended,
	});
	const { browser, system } = deviceOf(session.user_agent);
	const device = browser && system ? t.device(browser, system) : (browser ?? system ?? t.unknown);
	const facts = [session.ip_address, t.used(ago(session.last_used_at)), t.since(time(session.created_at))];
	return (
		<Item
			title={device}
			facts={facts.filter(Boolean).join(" · ")}
			state={session.is_current ? { text: t.here, tone: "good" } : undefined}
			actions={
				!session.is_current && (
					<Button small disabled={end.isBusy} aria-label={t.endOf(device)} onClick={() => end.run(undefined)}>
						{t.end}
					</Button>
				)
			}
		/>
	);
}
