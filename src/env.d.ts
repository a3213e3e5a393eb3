/** Addresses of fonts cut to what the site shows (see `server/build/subset-fonts.ts`). */
declare module '*&weights=700-800' {
  const url: string;
  export default url;
}
declare module '*&weights=400-700' {
  const url: string;
  export default url;
}
