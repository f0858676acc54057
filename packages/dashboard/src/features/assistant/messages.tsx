import { time } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { AnswerText } from "./answer-text.tsx";
import styles from "./assistant.module.css";
import { DrawnChart } from "./drawn-chart.tsx";
import { DrawnTable } from "./drawn-table.tsx";
import { HowAnswered } from "./how-answered.tsx";
import { numbered } from "./numbered.ts";
import type { Message } from "./queries.ts";
import { t } from "./texts.ts";

/** All messages of a conversation, oldest first. */
export const Messages = ({ messages }: { readonly messages: readonly Message[] }) => (
	<ol className={styles.messages} aria-label={t.conversation}>
		{numbered(messages).map(({ key, item: message }) => (
			<li key={key}>
				{message.role === "user" ? <Question text={message.content} /> : <Answered message={message} />}
			</li>
		))}
	</ol>
);

/** A question as it was asked. */
export const Question = ({ text }: { readonly text: string }) => (
	<p className={styles.question}>
		<span className="visually-hidden">{t.you}: </span>
		{text}
	</p>
);

function Answered({ message }: { readonly message: Message }) {
	const { content, charts, tables, tools_used: tools, timestamp } = message;
	return (
		<article className={styles.answer} aria-label={t.answer}>
			<Card>
				<AnswerText text={content} />
				<p className={styles.muted}>{time(timestamp)}</p>
			</Card>
			{(charts.length > 0 || tables.length > 0) && (
				<div className={styles.drawn}>
					{numbered(charts).map(({ key, item }) => (
						<DrawnChart key={key} chart={item} />
					))}
					{numbered(tables).map(({ key, item }) => (
						<DrawnTable key={key} table={item} />
					))}
				</div>
			)}
			<HowAnswered tools={tools} />
		</article>
	);
}
