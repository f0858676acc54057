import { skipToken, useQuery } from "@tanstack/react-query";
import { boot } from "../../api/boot.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { meQuery, ScreenHead, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import { AskForm } from "./ask-form.tsx";
import styles from "./assistant.module.css";
import { ConversationsCard } from "./conversations-card.tsx";
import { Messages } from "./messages.tsx";
import { conversationQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** Messages that a conversation has room for. */
const most = 100;

/** Questions about the site in words. */
export function AskScreen() {
	const isSetUp = boot.config?.features.includes("assistant") ?? true;
	return isSetUp ? <Assistant /> : <NotSetUp />;
}

/** Only who runs the service can do something about it. */
function NotSetUp() {
	const { data: me } = useQuery(meQuery);
	return (
		<>
			<ScreenHead title={t.title} />
			<Card>
				<p>{t.notSetUp}</p>
				{me?.role === "superadmin" && <p>{t.settings}</p>}
			</Card>
		</>
	);
}

function Assistant() {
	const site = useSite();
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const chosen = viewValue(view, "conversation");
	const choose = (id: string | undefined) =>
		change({ view: withView(view, "conversation", id === undefined ? [] : [id]) });
	const options = conversationQuery(site.id, chosen ?? "");
	const query = useQuery(chosen === undefined ? { queryKey: options.queryKey, queryFn: skipToken } : options);
	const count = query.data?.messages.length ?? 0;
	return (
		<>
			<ScreenHead title={t.title}>
				{chosen !== undefined && <Button onClick={() => choose(undefined)}>{t.begin}</Button>}
			</ScreenHead>
			<div className={styles.screen}>
				<div className={styles.talk}>
					{chosen !== undefined && <Loaded query={query}>{({ messages }) => <Messages messages={messages} />}</Loaded>}
					<AskForm conversation={chosen} isFull={count >= most} onAnswer={choose} />
				</div>
				<ConversationsCard chosen={chosen} onChoose={choose} />
			</div>
		</>
	);
}
