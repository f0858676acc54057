import { type FormEvent, useRef, useState } from "react";
import { asFailure, type Failure } from "./failure.ts";

interface Form {
	readonly isBusy: boolean;
	/** What the server says about the whole form; faults of fields are at the fields. */
	readonly failure: Failure | undefined;
	/** The server's words on a field of the body: `errorOf("name")`. */
	readonly errorOf: (field: string) => string | undefined;
	readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * A form whose values live in its fields: the browser checks them first, then the server, whose words go to the field
 * that it names. The first faulty field gets the focus.
 */
export function useForm(send: (values: FormData) => Promise<unknown>): Form {
	const [state, setState] = useState<{ isBusy: boolean; failure?: Failure }>({ isBusy: false });
	const form = useRef<HTMLFormElement>(null);
	const errorOf = (field: string) =>
		state.failure?.detail.find((fault) => fault.field === `body.${field}` || fault.field.startsWith(`body.${field}.`))
			?.message;
	async function onSubmit(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		if (state.isBusy) return;
		form.current = event.currentTarget;
		setState({ isBusy: true });
		try {
			await send(new FormData(event.currentTarget));
			setState({ isBusy: false });
		} catch (error) {
			const failure = asFailure(error);
			setState({ isBusy: false, failure });
			const first = failure.detail[0]?.field.replace(/^body\./, "");
			const element = first === undefined ? undefined : form.current.elements.namedItem(first);
			if (element instanceof HTMLElement) element.focus();
		}
	}
	return { isBusy: state.isBusy, failure: state.failure, errorOf, onSubmit: (event) => void onSubmit(event) };
}

/** The text of a field. */
export const textOf = (values: FormData, name: string): string => String(values.get(name) ?? "");
