export function LandingPage() {
  return (
    <main>
      <h1>Hello</h1>
    </main>
  );
}
