# Builds what runs, and nothing of what builds it.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY bot ./bot
COPY kontor ./kontor
COPY data ./data
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir ".[postgres]"

FROM python:3.12-slim
RUN useradd --uid 10001 --no-create-home kontor && install -d -o kontor -g kontor /data
COPY --from=build /venv /venv
WORKDIR /app
USER kontor
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATABASE_URL=sqlite+aiosqlite:////data/games.sqlite \
    BACKUP_FOLDER=/data/backups \
    LOG_FORMAT=json \
    HEALTH_HOST=0.0.0.0 \
    HEALTH_PORT=8090
VOLUME /data
EXPOSE 8090
# It waits for Discord by itself: an unhealthy bot needs somebody to look, not another start.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8090/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["python", "-m", "bot"]
