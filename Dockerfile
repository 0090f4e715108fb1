# One Kop server. Without KOP_REDIS_URL it keeps its tables in its own store below /data: keep that volume.
FROM python:3.11-slim

RUN useradd --create-home --home-dir /data --uid 10001 kop

WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY protocol ./protocol
COPY server ./server
COPY client_cli ./client_cli
RUN pip install --no-cache-dir --disable-pip-version-check -c constraints.txt .

ENV KOP_DATA_DIR=/data/store
USER kop
WORKDIR /data
VOLUME /data
EXPOSE 5670

HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:5670/healthz', timeout=4)"]

CMD ["kop-server", "serve", "--host", "0.0.0.0"]
