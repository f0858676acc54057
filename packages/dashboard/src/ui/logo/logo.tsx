/** The mark of the service; the name stands beside it, so it is silent. */
export function Logo({ size = 32 }: { readonly size?: number }) {
	return (
		<svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
			<rect width="32" height="32" rx="8" fill="var(--accent)" />
			<path d="M8 22v-6m5.5 6V12m5.500 10V9m5 13v-8" stroke="var(--on-accent)" strokeWidth="3" strokeLinecap="round" />
		</svg>
	);
}
