/**
 * Keeps calls that come before the tracker, and takes those of a page whose tracker is blocked: a hundred at most. Pages hold
 * copies of this text, and content policies its hash: a change of a letter makes them differ.
 */
const CALL_STUB =
	'typeof window.footfall=="function"&&window.footfall.conv||function(q){function f(m){return function(){q[99]||q.push([m,arguments])}}var s=window.footfall=f("pv");s.conv=f("cv");s.micro=f("mc");s.q=q}([])';

/** HTML of the tracker on a page: the call stub, and the script at `trackerUrl`. */
export const scriptTag = (trackerUrl: string): string =>
	`<script>${CALL_STUB}</script><script src="${trackerUrl}" defer></script>`;
