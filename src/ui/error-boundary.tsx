import { Component, type ReactNode } from 'react';

/**
 * Shows `fallback` instead of children that throw, such as lazy ones whose code is gone from the server
 * after a deployment. React offers error boundaries as classes only.
 */
export class ErrorBoundary extends Component<
  { fallback: ReactNode; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
